import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../domain/failure.js'
import type { HookSession } from '../../domain/hooks/answer.js'
import { isMemory } from '../../domain/hooks/remembered-sessions.js'

const MAX_BYTES = 64 * 1024
const MAX_FILES = 200
const MAX_AGE_MS = 7 * 86_400_000
const EMPTIED = 'emptied'

/**
 * A session as a file of lines, `<token> <word>`, that is only added to: what the system appends at once stays together, so
 * that two hooks at the same time each find their lines whole, and the first line with a word says whose it is. Other
 * lines are skipped. A file that has grown too large takes no more words.
 */
export function sessionFile(file: string, token: string): HookSession {
  return {
    has: async (word) => (await ownersIn(file)).has(word),
    async mark(words) {
      const known = await ownersIn(file)
      const fresh = words.filter((word) => !known.has(word))
      const found = await stat(file).catch(() => undefined)
      if (fresh.length === 0 || (found?.size ?? 0) > MAX_BYTES) return []
      await add(file, token, fresh)
      const owners = await ownersIn(file)
      return fresh.filter((word) => owners.get(word) === token)
    },
    forgetShownMemories: () => add(file, token, [EMPTIED]),
  }
}

/** Removes old files, and the oldest above the limit. */
export async function tidySessions(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const found = await stat(file).catch(() => undefined)
      return { file, at: found?.mtimeMs ?? 0 }
    }),
  )
  files.sort((a, b) => b.at - a.at)
  for (const [i, { file, at }] of files.entries())
    if (i >= MAX_FILES || now.getTime() - at > MAX_AGE_MS) await rm(file, { force: true })
}

async function add(file: string, token: string, words: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // It begins with a line end, because the last line may have been left incomplete.
  await appendFile(file, `\n${words.map((word) => `${token} ${word}\n`).join('')}`, { mode: 0o600 })
}

/** Each word with the token of the call that added it first. */
async function ownersIn(file: string): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  for (const line of text.split('\n')) {
    const [token = '', word = '', more] = line.split(' ')
    if (token === '' || word === '' || more !== undefined) continue
    if (word === EMPTIED) {
      for (const known of owners.keys()) if (isMemory(known)) owners.delete(known)
    } else if (!owners.has(word)) owners.set(word, token)
  }
  return owners
}
