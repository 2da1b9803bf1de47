import { isOneWord } from '../insight/query.js'
import type { HookEvent } from './event.js'
import { formatMemories, type RecalledItem } from './format-memories.js'
import { asContext, asContinuation, asNotice } from './hosts.js'
import { HEAD, REMINDER, REMINDER_AFTER_COMPACTION, UNRECORDED, withoutOwnWords } from './own-words.js'

/** The maximum length of the text that a hook adds to a conversation. */
export const MAX_CONTEXT_CHARS = 2000
export const HOOK_CONFIDENCE = 'medium'
/** How many memories are recalled for a prompt. */
export const HOOK_MEMORIES = 5
const MAX_NAME_CHARS = 64
/** The contract's limit for a query. */
export const MAX_QUERY_CHARS = 4000

/** The marks of a session: flags, and the ids of memories that were already shown in it. */
export interface HookSession {
  has(mark: string): Promise<boolean>
  /** Sets marks, and returns those that this call has set: of several concurrent callers, only one gets each mark. */
  mark(marks: readonly string[]): Promise<readonly string[]>
  /** Removes the marks of memories, so that they are shown again. */
  forgetShownMemories(): Promise<void>
}

export interface HookPorts {
  /** Finds memories for a query, none below `HOOK_CONFIDENCE`. */
  recall(query: string): Promise<readonly RecalledItem[]>
  /** What to know before starting work, in at most `maxChars` characters. */
  brief(maxChars: number): Promise<string>
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
      const text = await startContext(event, ports)
      return text === '' ? undefined : asContext(host, kind, text)
    }
    case 'prompt': {
      const text = await promptContext(event, ports)
      return text === undefined ? undefined : asContext(host, kind, text)
    }
    case 'tool': {
      const marks = [...(event.changedFiles ? [CHANGED] : []), ...(event.recorded ? [RECORDED] : [])]
      await session.mark(marks.flatMap((mark) => [mark, ...(event.agent ? [markFor(mark, event)] : [])]))
      return undefined
    }
    case 'stop':
    case 'subagent-stop':
      return (await takeReminder(event, session)) ? asContinuation(host, REMINDER) : undefined
    case 'compact':
    case 'end':
      return (await isUnrecorded(event, session)) ? asNotice(host, kind, UNRECORDED) : undefined
  }
}

/** What a hook answers when the service cannot be asked. Only the start of a session reports it. */
export function answerFailure({ host, kind }: HookEvent, why: string): string | undefined {
  if (kind !== 'start') return undefined
  const text = `Loregraph: ${why} This session goes on without what is recorded.`
  return asNotice(host, kind, text) ?? asContext(host, kind, text)
}

/** The brief. After a compaction also the reminder, which no hook could give to the agent before. */
async function startContext(event: HookEvent, { brief, session }: HookPorts): Promise<string> {
  if (event.clearedBy !== undefined) await session.forgetShownMemories()
  const needsReminder = event.clearedBy === 'compact' && (await isUnrecorded(event, session))
  const reminder = needsReminder ? `\n\n${REMINDER_AFTER_COMPACTION}` : ''
  const briefing = (await brief(MAX_CONTEXT_CHARS - HEAD.length - reminder.length)).trim()
  return `${briefing === '' ? '' : HEAD + briefing}${reminder}`.trim()
}

async function promptContext(
  { prompt }: HookEvent,
  { recall, session }: HookPorts,
): Promise<string | undefined> {
  const query = asQuery(prompt)
  // No memory answers a single word ("continue", "thanks").
  if (query === '' || isOneWord(query)) return undefined
  const items = await recall(query)
  const fresh: RecalledItem[] = []
  for (const item of items) if (!(await session.has(item.memory_id))) fresh.push(item)
  const { shown } = formatMemories(fresh, MAX_CONTEXT_CHARS)
  if (shown.length === 0) return undefined
  const marked = new Set(await session.mark(shown))
  return formatMemories(
    fresh.filter(({ memory_id }) => marked.has(memory_id)),
    MAX_CONTEXT_CHARS,
  ).text
}

/** Each agent is reminded once, and not at all if it has recorded something. */
async function takeReminder(event: HookEvent, session: HookSession): Promise<boolean> {
  if (event.isContinuing || !(await isUnrecorded(event, session))) return false
  return (await session.mark([markFor(REMINDED, event)])).length > 0
}

async function isUnrecorded(event: HookEvent, session: HookSession): Promise<boolean> {
  return (await session.has(markFor(CHANGED, event))) && !(await session.has(markFor(RECORDED, event)))
}

/** A mark for the session, or for one agent in it. */
function markFor(mark: string, { agent }: HookEvent): string {
  return agent === undefined ? mark : `${mark}:${agent.slice(0, MAX_NAME_CHARS).replace(/\s/g, '_')}`
}

/** Makes a valid query of what the person wrote in a prompt. */
function asQuery(prompt: string): string {
  return withoutOwnWords(prompt)
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, MAX_QUERY_CHARS)
    .replace(/[\ud800-\udbff]$/, '')
}
