/** Messages between the service and the thread of the models. */
import type { Model } from './model-files.js'

/** The folder is a string, since a `URL` cannot be sent to a thread. */
export interface WorkerInput extends Omit<Model, 'folder'> {
  readonly folder: string
}

/** A text to embed, or with `question` a text to rate as its answer. */
export interface Task {
  readonly text: string
  readonly question?: string
}

export type Result = { readonly vector: Float32Array } | { readonly logit: number }

export type Answer =
  | { readonly ready: true }
  /** The models could not be loaded. The error is permanent. */
  | { readonly failed: string }
  | Result
