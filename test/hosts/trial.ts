import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Service } from '../../scripts/proof/service.js'
import { HEAD, REMINDER, UNRECORDED } from '../../src/domain/hooks/own-words.js'
import { commandOf } from '../support/program.js'
import { changedIn, type FolderContents, readFolder, writeFiles } from './files.js'
import type { RealHost } from './hosts.js'
import { fullName } from './protocols.js'
import { standIn } from './stand-in.js'

export interface Check {
  readonly name: string
  readonly passed: boolean
  /** What was seen in place of what should be. */
  readonly seen?: string
}

const PROMPT = 'On which day of the week do we deploy?'
const KNOWN = 'We deploy on Tuesdays before noon'
const LEARNT = 'The deploy script needs the staging flag, since it deploys to production without it'
const TOOLS = ['recall', 'insight', 'record', 'browse', 'brief']
/** The brief has headings, and what is found for a prompt has none. */
const BRIEF = `${HEAD}## `
const FOUND = `${HEAD}- **`
/** Where hooks note what a session was told, so as not to say it twice; old notes are thrown away. */
const NOTES = 'home/.cache/loregraph/'
const MAX_MS = 60_000

/** One host in an empty home, from connect to disconnect. The stand-in's calls let every hook of ours have its say. */
export async function trial(host: RealHost, bin: string, folder: string, service: Service): Promise<Check[]> {
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const one of [home, project]) mkdirSync(one, { recursive: true })
  const model = await standIn([
    { tool: /loregraph[_-]+recall$/, args: { query: PROMPT } },
    ...(host.write === undefined ? [] : [host.write(join(project, 'written.txt'))]),
    {
      tool: /loregraph[_-]+record$/,
      args: { text: LEARNT },
      ...(host.write !== undefined && { after: REMINDER }),
    },
  ])
  try {
    const place = { model: model.url, project }
    const { home: atHome = {}, project: inProject = {} } = host.files(place)
    writeFiles(home, atHome)
    writeFiles(project, inProject)
    await ask(service, '/v1/events', {
      graph_id: host.name,
      event_kind: 'decision',
      context_id: 'decision:deploy_day',
      source: 'user',
      payload: { decision: KNOWN, reason: 'everybody is there' },
    })
    const before = readFolder(folder)
    const env = { HOME: home, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' }
    const loregraph = (...args: readonly string[]) =>
      ended([...commandOf('build'), ...args], project, {
        ...env,
        LOREGRAPH_URL: service.url,
        LOREGRAPH_SECRET: service.secret,
      })
    const hooks = host.write === undefined ? [] : ['--hooks']
    const connected = await loregraph('connect', host.name, '--graph', host.name, ...hooks)
    const between = readFolder(folder)
    const ran = await ended([join(bin, host.command), ...host.args(PROMPT, place)], project, {
      ...env,
      ...host.env(place),
      // Some are programs of Node.js, which is to be the one that runs this.
      PATH: [dirname(process.execPath), env.PATH].join(delimiter),
    })
    const stored = await ask(service, '/v1/memories', { graph_id: host.name, query: LEARNT, format: 'json' })
    const gone = await loregraph('disconnect', host.name)

    const { asked } = model
    const said = asked.map((one) => one.text).join('\n')
    // Claude Code only names those that are not always loaded.
    const named = [...asked.flatMap(({ tools }) => tools.map(fullName)), said].join('\n')
    const missing = TOOLS.filter((name) => !new RegExp(`loregraph[_-]+${name}\\b`).test(named))
    const holds = (name: string, where: string, what: string): Check => ({
      name,
      passed: where.includes(what),
      seen: `not seen: ${what}\n${ran.output}\n${model.paths.join('\n')}`,
    })
    const changed = notRestored(before, between, readFolder(folder))
    return [
      { name: 'connect', passed: connected.code === 0, seen: connected.output },
      { name: 'run', passed: ran.code === 0, seen: ran.output },
      { name: 'tools offered', passed: missing.length === 0, seen: `missing: ${missing.join(', ')}` },
      holds('recall called', asked.at(-1)?.results[0] ?? '', KNOWN),
      ...(host.write === undefined
        ? []
        : [
            holds('brief at the start', said, BRIEF),
            holds('found for the prompt', said, FOUND),
            holds('reminded after a change', said, REMINDER),
            { name: 'recorded, so no note', passed: !ran.output.includes(UNRECORDED), seen: ran.output },
          ]),
      holds('record called', stored, LEARNT),
      { name: 'disconnect', passed: gone.code === 0, seen: gone.output },
      { name: 'files as before', passed: changed.length === 0, seen: changed.join('\n') },
    ]
  } finally {
    model.stop()
  }
}

/** Files that differ from before, without those that only the host has made. */
function notRestored(
  before: FolderContents,
  between: FolderContents,
  after: FolderContents,
): readonly string[] {
  return changedIn(before, after).filter(
    (file) => !file.startsWith(NOTES) && (before.has(file) || between.has(file)),
  )
}

async function ask({ url, secret }: Service, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${said}`)
  return said
}

/** A command with nothing in its environment but what is given, and what it printed. */
async function ended([command = '', ...args]: readonly string[], cwd: string, env: Record<string, string>) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, output: `${stdout}\n${stderr}\nended with ${code}` }
}
