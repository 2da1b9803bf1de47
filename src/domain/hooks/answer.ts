import { isOneWord } from '../insight/query.js'
import type { HookEvent } from './event.js'
import { asContext, asReasonToGoOn } from './hosts.js'
import { type RecalledItem, tellMemories } from './told.js'

/** The longest text that a hook puts into a conversation. */
export const MOST_CHARS = 2000
export const HOOK_CONFIDENCE = 'medium'
/** How many memories are recalled for a prompt. */
export const HOOK_MEMORIES = 5
/** The contract's limit of a query. */
export const LONGEST_QUERY = 4000

/** What a session has been told and has done, as a set of words that only grows. */
export interface HookSession {
  has(word: string): Promise<boolean>
  /** Adds words, and answers with those that this call has added: each is given to one caller, also of several at once. */
  claim(words: readonly string[]): Promise<readonly string[]>
  /** What was told may be told again. */
  emptied(): Promise<void>
}

export interface HookPorts {
  /** Memories for a query, none below `HOOK_CONFIDENCE`. */
  recall(query: string): Promise<readonly RecalledItem[]>
  /** What to know before starting work, in at most `MOST_CHARS`. */
  brief(): Promise<string>
  readonly session: HookSession
}

const CHANGED = 'changed'
const RECORDED = 'recorded'
const REMINDED = 'reminded'

const REMINDER =
  'Files were changed in this session. If something was decided, found out or corrected that the next session should ' +
  'know, record it in Loregraph now: what, why, and which memory it contradicts, if it does. If not, just stop.'

/** What a hook answers, in the host's form; undefined if there is nothing to say. */
export async function answerHook(event: HookEvent, ports: HookPorts): Promise<string | undefined> {
  const { host, kind } = event
  switch (kind) {
    case 'start': {
      if (event.isEmptied) await ports.session.emptied()
      const brief = (await ports.brief()).trim()
      return brief === '' ? undefined : asContext(host, kind, brief)
    }
    case 'prompt': {
      const text = await tellFor(event, ports)
      return text === undefined ? undefined : asContext(host, kind, text)
    }
    case 'tool':
      if (event.changedFiles) await ports.session.claim([CHANGED])
      if (event.recorded) await ports.session.claim([RECORDED])
      return undefined
    case 'stop':
      return (await isToBeReminded(event, ports.session)) ? asReasonToGoOn(host, REMINDER) : undefined
  }
}

async function tellFor({ prompt }: HookEvent, { recall, session }: HookPorts): Promise<string | undefined> {
  const query = asQuery(prompt)
  // One word ("continue", "thanks") asks for nothing that a memory could tell.
  if (query === '' || isOneWord(query)) return undefined
  const items = await recall(query)
  const fresh: RecalledItem[] = []
  for (const item of items) if (!(await session.has(item.memory_id))) fresh.push(item)
  const { told } = tellMemories(fresh, MOST_CHARS)
  if (told.length === 0) return undefined
  const own = new Set(await session.claim(told))
  return tellMemories(
    fresh.filter(({ memory_id }) => own.has(memory_id)),
    MOST_CHARS,
  ).text
}

/** Once a session, and not if the agent has recorded something of its own accord. */
async function isToBeReminded({ isGoingOn }: HookEvent, session: HookSession): Promise<boolean> {
  if (isGoingOn || !(await session.has(CHANGED)) || (await session.has(RECORDED))) return false
  return (await session.claim([REMINDED])).length > 0
}

/** A prompt as a query: without what the contract refuses, and no longer than it allows. */
function asQuery(prompt: string): string {
  return prompt
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, LONGEST_QUERY)
    .replace(/[\ud800-\udbff]$/, '')
}
