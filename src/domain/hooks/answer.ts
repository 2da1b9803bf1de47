import { isOneWord } from '../insight/query.js'
import type { HookEvent } from './event.js'
import { asContext, asNotice, asReasonToGoOn } from './hosts.js'
import { HEAD, REMINDER, REMINDER_AFTER_COMPACTION, UNRECORDED, withoutOwnWords } from './own-words.js'
import { type RecalledItem, tellMemories } from './told.js'

/** The longest text that a hook puts into a conversation. */
export const MOST_CHARS = 2000
export const HOOK_CONFIDENCE = 'medium'
/** How many memories are recalled for a prompt. */
export const HOOK_MEMORIES = 5
const LONGEST_NAME = 64
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
  /** What to know before starting work, in so many characters at most. */
  brief(mostChars: number): Promise<string>
  readonly session: HookSession
}

const CHANGED = 'changed'
const RECORDED = 'recorded'
const REMINDED = 'reminded'

/** What a hook answers, in the host's form; undefined if there is nothing to say. */
export async function answerHook(event: HookEvent, ports: HookPorts): Promise<string | undefined> {
  const { host, kind } = event
  const { session } = ports
  switch (kind) {
    case 'start': {
      const text = await tellAtStart(event, ports)
      return text === '' ? undefined : asContext(host, kind, text)
    }
    case 'prompt': {
      const text = await tellFor(event, ports)
      return text === undefined ? undefined : asContext(host, kind, text)
    }
    case 'tool': {
      const words = [...(event.changedFiles ? [CHANGED] : []), ...(event.recorded ? [RECORDED] : [])]
      await session.claim(words.flatMap((word) => [word, ...(event.agent ? [wordOf(word, event)] : [])]))
      return undefined
    }
    case 'stop':
    case 'subagent-stop':
      return (await isToBeReminded(event, session)) ? asReasonToGoOn(host, REMINDER) : undefined
    case 'compact':
    case 'end':
      return (await isUnrecorded(event, session)) ? asNotice(host, kind, UNRECORDED) : undefined
  }
}

/** What a hook answers where nothing could be asked: it is said when a session starts. */
export function answerFailure({ host, kind }: HookEvent, why: string): string | undefined {
  if (kind !== 'start') return undefined
  const text = `Loregraph: ${why} This session goes on without what is recorded.`
  return asNotice(host, kind, text) ?? asContext(host, kind, text)
}

/** The brief, and after a compaction the reminder that no hook could give to the agent before it. */
async function tellAtStart(event: HookEvent, { brief, session }: HookPorts): Promise<string> {
  if (event.emptiedBy !== undefined) await session.emptied()
  const isUntold = event.emptiedBy === 'compact' && (await isUnrecorded(event, session))
  const reminder = isUntold ? `\n\n${REMINDER_AFTER_COMPACTION}` : ''
  const known = (await brief(MOST_CHARS - HEAD.length - reminder.length)).trim()
  return `${known === '' ? '' : HEAD + known}${reminder}`.trim()
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

/** Once for each agent, and not if it has recorded something of its own accord. */
async function isToBeReminded(event: HookEvent, session: HookSession): Promise<boolean> {
  if (event.isGoingOn || !(await isUnrecorded(event, session))) return false
  return (await session.claim([wordOf(REMINDED, event)])).length > 0
}

async function isUnrecorded(event: HookEvent, session: HookSession): Promise<boolean> {
  return (await session.has(wordOf(CHANGED, event))) && !(await session.has(wordOf(RECORDED, event)))
}

/** What is noted of the session, or of one agent in it. */
function wordOf(word: string, { agent }: HookEvent): string {
  return agent === undefined ? word : `${word}:${agent.slice(0, LONGEST_NAME).replace(/\s/g, '_')}`
}

/** A prompt as a query: what the person wrote, without what the contract refuses, and no longer than it allows. */
function asQuery(prompt: string): string {
  return withoutOwnWords(prompt)
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, LONGEST_QUERY)
    .replace(/[\ud800-\udbff]$/, '')
}
