import type { GraphId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'

/** How far the memories of a graph have been read (migrations/003-vectors.ts). */
export interface Reading {
  readonly generation: number
  readonly model: string
  readonly memories: number
}

const READING = {
  name: 'reading',
  text: 'SELECT generation, model, memories FROM readings WHERE graph_id = $1',
}

/** As the session's snapshot has it; undefined when there is no such graph. */
export function readingOf(session: Session, graphId: GraphId): Promise<Reading | undefined> {
  return session.row<Reading>(READING, [graphId])
}

/** Of so many memories, how many have not been read by a model. */
export function unreadBy(model: string, reading: Reading | undefined, memories: number): number {
  return reading?.model === model ? memories - reading.memories : memories
}
