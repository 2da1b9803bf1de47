/** What the service and the thread of the models say to each other. */
import type { Model } from './model-files.js'

/** The folder as an address: an object of its kind does not come over. */
export interface WorkerInput extends Omit<Model, 'folder'> {
  readonly folder: string
}

/** A text for the encoder; with a question, for the reader. */
export interface Task {
  readonly text: string
  readonly question?: string
}

export type Result = { readonly vector: Float32Array } | { readonly logit: number }

export type Answer =
  | { readonly ready: true }
  /** The models could not be loaded; trying again would not help. */
  | { readonly failed: string }
  | Result
