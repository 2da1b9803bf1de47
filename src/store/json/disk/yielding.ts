const SLICE_MS = 8

/** Long work in slices: await the result now and then, and others get their turn when a slice is over. */
export function createPace(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let start = now()
  return () => {
    if (now() - start < SLICE_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        start = now()
        resolve()
      }),
    )
  }
}
