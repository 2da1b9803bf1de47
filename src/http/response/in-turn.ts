/** Makes a piece of a stream when it is its turn. */
export type InTurn = <T>(make: () => Promise<T>) => Promise<T>
