/** What the reader and its thread say to each other. */

export interface WorkerInput {
  readonly folder: string
  readonly sha256: string
  readonly identity: string
}

export type Answer =
  | { readonly ready: true }
  /** The encoder could not be loaded; trying again would not help. */
  | { readonly failed: string }
  | { readonly vector: Float32Array }
