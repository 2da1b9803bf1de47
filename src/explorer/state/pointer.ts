/** What the reader points at in the list, told to the picture without drawing the list anew. */
export interface Pointer {
  point(id: string): void
  /** Undefined when nobody listens any more. */
  listen(listener: ((id: string) => void) | undefined): void
}

export function createPointer(): Pointer {
  let tell: ((id: string) => void) | undefined
  return {
    point: (id) => tell?.(id),
    listen(listener) {
      tell = listener
    },
  }
}
