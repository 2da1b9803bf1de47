/** Calls `make` for the next piece of a stream when it is the turn of the caller's key. */
export type InTurn = <T>(make: () => Promise<T>) => Promise<T>
