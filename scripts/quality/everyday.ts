import { readFile } from 'node:fs/promises'
import type { Task } from './graphs.js'

const PROMPTS = new URL('./everyday.json', import.meta.url)
const PREFIX = 'everyday-'

/** What people type all day and no memory is needed for. */
export async function everydayTasks(): Promise<Task[]> {
  const prompts: readonly string[] = JSON.parse(await readFile(PROMPTS, 'utf8'))
  return prompts.map((task, i) => ({
    ...{ id: `${PREFIX}${i}`, kind: 'everyday', task },
    evidence: [],
    confidence: ['low'],
  }))
}

export function isEveryday({ task }: { readonly task: Task }): boolean {
  return task.kind === 'everyday'
}
