/** What the reader points at in the list, told to the picture without drawing the list anew. */
export interface Pointer {
  point(id: string): void
  /** Tells also what is pointed at already. Undefined when nobody listens any more. */
  listen(listener: ((id: string) => void) | undefined): void
}

export function createPointer(): Pointer {
  let tell: ((id: string) => void) | undefined
  let last: string | undefined
  return {
    point(id) {
      last = id
      tell?.(id)
    },
    listen(listener) {
      tell = listener
      if (last !== undefined) tell?.(last)
    },
  }
}
