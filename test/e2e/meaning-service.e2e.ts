import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { decodeRecord, RECORD_BYTES } from '../../src/log/file/vectors.js'
import { temporaryFolder } from '../support/folder.js'
import { createDatabase } from '../support/postgres.js'
import { type Program, startProgram } from '../support/program.js'

const SECRET = 'a-secret-for-reading-for-meaning-only'
const FACTS = [
  ['pay:wages', 'Salaries go out on the 25th, by bank transfer.'],
  ['code:runner', 'We run the unit tests with vitest.'],
  ['office:door', 'The spare key lies beneath the flower pot.'],
  ['food:allergy', 'Marta must not eat peanuts.'],
  ['car:van', 'The van has to be refuelled with diesel.'],
] as const
/** In other words than the facts. */
const QUESTIONS = [
  'When do employees get their money?',
  'How can I enter the building if I am locked out?',
  'Which snacks are dangerous for our colleague?',
]
const PLACES = ['harbour', 'orchard', 'library', 'station', 'bakery', 'quarry', 'chapel']
const THINGS = ['lantern', 'ladder', 'notebook', 'bicycle', 'piano', 'telescope', 'kettle', 'carpet']

const started: Program[] = []
afterAll(() => Promise.all(started.map((program) => program.stop('SIGKILL'))))

async function start(env: Readonly<Record<string, string>>) {
  const program = startProgram(['serve'], {
    from: 'build',
    env: { LOREGRAPH_PORT: '0', LOREGRAPH_SECRET: SECRET, LOREGRAPH_LOG_LEVEL: 'warn', ...env },
  })
  started.push(program)
  const url = await program.url
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(url + path, init)
    expect(response.status).toBeLessThan(300)
    return response.text()
  }
  const insight = (task: string) =>
    send('POST', '/v1/memories/insights', { graph_id: 'g', task, explain: true })
  const unread = async (): Promise<number> => JSON.parse(await insight('how far is it?')).unread
  return {
    program,
    send,
    insight,
    unread,
    record: (events: readonly object[]) => send('POST', '/v1/events/batch', { graph_id: 'g', events }),
    /** Insights and recalls, byte for byte. */
    async answers() {
      const answers: string[] = []
      for (const question of QUESTIONS) {
        answers.push(await insight(question))
        const recall = { graph_id: 'g', query: question, format: 'json' }
        answers.push(await send('POST', '/v1/memories', recall))
      }
      return answers
    },
    fullyRead: () => expect.poll(unread, { timeout: 100_000, interval: 200 }).toBe(0),
    /** What `listGraphs` says is left to read. */
    listed: async (): Promise<number> => JSON.parse(await send('GET', '/v1/graphs')).graphs[0]?.unread ?? 0,
    /** How many events an export holds, between its first line and its last. */
    events: async () => (await send('GET', '/v1/graphs/g/events')).trim().split('\n').length - 2,
  }
}

/** Short notes about other things, from that number on. */
function notes(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, i) => {
    const [n, place, thing] = [from + i, PLACES[(from + i) % 7], THINGS[(from + i) % 8]]
    return { event_kind: 'fact', context_id: `note:${place}`, payload: { text: `Saw ${thing} no. ${n}.` } }
  })
}

function hundred(): object[] {
  const facts = FACTS.map(([context_id, text]) => ({ event_kind: 'fact', context_id, payload: { text } }))
  return [...notes(0, 50), ...facts, ...notes(50, 100 - 50 - facts.length)]
}

async function vectorFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.filter((name) => name.endsWith('/vectors')).map((name) => join(folder, name))
}

async function vectorBytes(folder: string): Promise<number> {
  const files = await Promise.all((await vectorFiles(folder)).map((path) => stat(path)))
  return files.reduce((sum, { size }) => sum + size, 0)
}

const STORES = [
  ['files', async () => ({ LOREGRAPH_DATA: temporaryFolder() })],
  ['PostgreSQL', async () => ({ DATABASE_URL: (await createDatabase()).url })],
] as const

describe.each(STORES)('on %s', (name, setting) => {
  test.skipIf(name === 'PostgreSQL' && inject('postgresUrl') === '')(
    'M1: a question right after 100 records is answered as it is later, and after a restart, byte for byte',
    async () => {
      const env = await setting()
      const first = await start(env)
      await first.record(hundred())
      const atOnce = await first.answers()
      await first.fullyRead()
      expect(await first.listed()).toBe(0)
      expect(await first.answers()).toEqual(atOnce)
      const found = QUESTIONS.map((_, i) => JSON.parse(atOnce[2 * i] ?? '').evidence[0])
      expect(found.map(({ text }) => text)).toEqual([FACTS[0][1], FACTS[2][1], FACTS[3][1]].map(String))
      for (const { found_by } of found) expect(found_by).toContain('meaning')
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        await started.at(-1)?.stop(signal)
        expect(await (await start(env)).answers()).toEqual(atOnce)
      }
      await started.at(-1)?.stop()
      const off = await start({ ...env, LOREGRAPH_MEANING: 'off' })
      const byWords = await off.answers()
      expect(byWords).not.toEqual(atOnce)
      expect(byWords.join('')).not.toContain('"meaning"')
      expect(await off.insight('Salaries by bank transfer')).toContain(FACTS[0][1])
      await off.program.stop()
    },
  )
})

test('M2: kill -9 while vectors are written: every record is there, all is read, and the answers are those of vectors never lost', async () => {
  const folder = temporaryFolder()
  const env = { LOREGRAPH_DATA: folder }
  const EACH = 60
  let unfinished = 0
  let recorded = 0
  for (let round = 0; round < 6; round++) {
    const service = await start(env)
    if (round > 0) expect(await service.events()).toBe(recorded)
    await service.record(round === 0 ? [...hundred(), ...notes(100, EACH)] : notes(recorded, EACH))
    recorded += round === 0 ? 100 + EACH : EACH
    const before = await vectorBytes(folder)
    await expect.poll(() => vectorBytes(folder), { interval: 5 }).toBeGreaterThan(before)
    await sleep(300 * Math.random())
    await service.program.stop('SIGKILL')
    const bytes = await vectorBytes(folder)
    if (bytes > RECORD_BYTES && bytes < RECORD_BYTES * recorded) unfinished++
  }
  expect(unfinished).toBeGreaterThan(0)
  const after = await start(env)
  expect(await after.events()).toBe(recorded)
  await after.fullyRead()
  const answers = await after.answers()
  await after.program.stop()
  for (const path of await vectorFiles(folder)) {
    expect((await readFile(path)).length).toBeGreaterThan(RECORD_BYTES * recorded)
    await rm(path)
  }
  const anew = await start(env)
  await anew.fullyRead()
  expect(await anew.answers()).toEqual(answers)
  await anew.program.stop()
})

test('M3: the bytes of an erased vector are in no file of the data folder', async () => {
  const folder = temporaryFolder()
  const service = await start({ LOREGRAPH_DATA: folder })
  await service.record(hundred())
  await service.fullyRead()
  const found = JSON.parse(await service.insight(QUESTIONS[0] ?? '')).evidence[0]
  const [path = ''] = await vectorFiles(folder)
  const vector = vectorIn(await readFile(path), found.memory_id)
  expect(await holding(folder, vector)).toEqual([path])
  await service.send('DELETE', `/v1/memories/g/${found.memory_id}`)
  expect(await holding(folder, vector)).toEqual([])
  expect(await holding(folder, Buffer.from(FACTS[0][1]))).toEqual([])
  await service.program.stop()
  const again = await start({ LOREGRAPH_DATA: folder })
  expect(await again.insight(QUESTIONS[0] ?? '')).not.toContain(found.memory_id)
  expect(await holding(folder, vector)).toEqual([])
  await again.program.stop()
})

test('M5: a backlog is counted in listGraphs and in metrics, and no question waits for it', async () => {
  const service = await start({ LOREGRAPH_DATA: temporaryFolder() })
  await service.record([...hundred(), ...notes(100, 400)])
  expect(await service.listed()).toBeGreaterThan(200)
  expect(await service.send('GET', '/metrics')).toContain('loregraph_meaning_unread')
  const before = performance.now()
  expect(JSON.parse(await service.insight('Salaries by bank transfer')).unread).toBeGreaterThan(0)
  expect(performance.now() - before).toBeLessThan(4_000)
  await expect.poll(() => service.listed(), { timeout: 100_000, interval: 200 }).toBe(0)
  await service.program.stop()
})

/** The vector of a memory, as a file of vectors holds it. */
function vectorIn(bytes: Buffer, id: string): Buffer {
  for (let at = bytes.indexOf('\n') + 1; at < bytes.length; at += RECORD_BYTES) {
    const record = decodeRecord(bytes.subarray(at, at + RECORD_BYTES))
    if (record?.id === id) return Buffer.from(record.vector)
  }
  throw new Error(`${id} is not among the vectors.`)
}

/** Every file below a folder that holds these bytes. */
async function holding(folder: string, bytes: Buffer): Promise<string[]> {
  const found: string[] = []
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    if (file.isFile() && (await readFile(path)).includes(bytes)) found.push(path)
  }
  return found
}
