import { readFile, writeFile } from 'node:fs/promises'
import { runsOf } from '../support/runs.js'
import { playHistory } from './history.js'
import { labelledGraphs, playLabelled, shareOf } from './labelled.js'
import { Known, readPast, readPresent } from './readings.js'
import type { Place } from './service.js'
import { type Keep, Session } from './session.js'

const FILE = new URL('answers.sha256', import.meta.url)
const HISTORIES = 20

/** What is played, by its name. */
const SUBJECTS = new Map<string, (session: Session) => Promise<void>>([
  ['demo', playDemo],
  ...[...labelledGraphs()].map(
    ([name, graph]) => [name, (session: Session) => playLabelled(session, graph)] as const,
  ),
  ...Array.from({ length: HISTORIES }, (_, seed) => {
    const play = (session: Session) => playHistory(session, seed)
    return [`history-${String(seed).padStart(3, '0')}`, play] as const
  }),
])

export const NAMES: readonly string[] = [...SUBJECTS.keys()]

/** Few enough for every run of the tests: a small labelled graph and short histories. */
export const SHORT: readonly string[] = ['answers/farm', 'history-003', 'history-009', 'history-015'].slice(
  0,
  runsOf({ quick: 2, full: 4 }),
)

/** Line by line `<sha256>  <subject> <operation>`, in order of what is hashed. */
export async function hashesOf(
  name: string,
  keep?: Keep,
  makePlace?: () => Promise<Place>,
): Promise<{ lines: string[]; requests: number }> {
  const play = SUBJECTS.get(name)
  if (play === undefined) throw new Error(`There is no ${name}.`)
  const { hashes, requests } = await Session.run(NAMES.indexOf(name), play, keep, makePlace)
  const lines = [...hashes].map(([operation, hash]) => `${hash}  ${name} ${operation}`)
  return { lines: sorted(lines), requests }
}

export async function savedHashes(name: string): Promise<string[]> {
  const lines = (await readFile(FILE, 'utf8')).trimEnd().split('\n')
  return lines.filter((line) => pathOf(line).startsWith(`${name} `))
}

export async function saveHashes(lines: readonly string[]): Promise<void> {
  await writeFile(FILE, `${sorted(lines).join('\n')}\n`)
}

function sorted(lines: readonly string[]): string[] {
  return lines.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
}

function pathOf(line: string): string {
  return line.slice(line.indexOf('  ') + 2)
}

async function playDemo(session: Session): Promise<void> {
  await session.loadDemo()
  const tasks = [
    'Which test runner do we use?',
    'Why do payments time out?',
    'Who reviews front-end changes?',
  ]
  const known = new Known(
    'demo',
    [...tasks, 'Is memoising worth it?'].map((task) => ({ task })),
  )
  await readPresent(session, known, { share: 1, turn: 0 })
  await readPast(session, known, shareOf(known.lastPlace), [
    '2026-03-11T12:00:00Z',
    '2026-01-01T00:00:00+05:30',
  ])
}
