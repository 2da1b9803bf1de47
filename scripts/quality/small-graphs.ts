import { readFile } from 'node:fs/promises'
import type { LabelledGraph } from './graphs.js'

interface SmallGraph {
  readonly name: string
  readonly memories: readonly (readonly [contextId: string, text: string])[]
  /** Each question with the number of the memory that answers it, if one does. */
  readonly questions: readonly (readonly [task: string, answer?: number])[]
}

const FILE = new URL('./small-graphs.json', import.meta.url)
const RECORDED = '2026-03-02T09:30:00.000Z'

/** Graphs as people begin them, and questions as they type them: short. The labelled graphs have long tasks. */
export async function smallGraphs(): Promise<LabelledGraph[]> {
  const graphs: readonly SmallGraph[] = JSON.parse(await readFile(FILE, 'utf8'))
  return graphs.map(({ name, memories, questions }) => ({
    graph_id: `small-${name}`,
    events: memories.map(([context_id, text], i) => ({
      key: `m${i}`,
      event_kind: 'fact',
      source: 'agent',
      timestamp: RECORDED,
      context_id,
      payload: { text },
    })),
    tasks: questions.map(([task, answer], i) => ({
      id: `q${i}`,
      kind: answer === undefined ? 'plain nothing' : 'plain',
      task,
      evidence: answer === undefined ? [] : [`m${answer}`],
      confidence: answer === undefined ? ['low'] : ['high', 'medium'],
    })),
  }))
}
