const SLICE_MS = 8

/** Long work in slices: await the result now and then, and others get their turn when a slice is over. */
export function createYielding(now: () => number = () => performance.now()): () => Promise<void> | undefined {
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

export async function inSlices(work: Iterable<void>): Promise<void> {
  const yielding = createYielding()
  for (const _ of work) {
    const turn = yielding()
    if (turn !== undefined) await turn
  }
}
