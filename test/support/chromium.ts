import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** What a real browser made of a page. */
export interface Visit {
  /** The text of the page once its scripts have run. */
  readonly text: string
  /** What was written to the console, by scripts and by the browser itself. */
  readonly console: readonly string[]
  /** The addresses that the page asked for, itself included; not what the browser asks for of its own accord. */
  readonly requests: readonly string[]
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--enable-logging=stderr',
  '--v=0',
  '--virtual-time-budget=5000',
  // Nothing but this machine can be reached, whatever the page or the browser would like.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // Sections are drawn as they come into view.
  '--window-size=1200,3000',
]
const TIMEOUT_MS = 60_000

/** Where Chromium is, if it is installed; the shell first, which draws the same pages in two thirds of the time. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** Loads the page in a browser of its own that knows nothing yet. */
export async function visit(chromium: string, url: string): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-chromium-'))
  try {
    const netLog = join(folder, 'net.json')
    const flags = [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`, `--log-net-log=${netLog}`]
    const { stdout, stderr } = await run(chromium, [...flags, '--dump-dom', url])
    return {
      text: textOf(stdout),
      console: Array.from(stderr.matchAll(CONSOLE), ([, message = '']) => message),
      requests: requestsIn(await readFile(netLog, 'utf8')),
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const CONSOLE = /:CONSOLE:\d+\] "([\s\S]*?)", source: /g

function run(file: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ stdout, stderr })
      else reject(error)
    })
  })
}

function textOf(html: string): string {
  return html
    .replace(/<(script|style)(?:\s[^>]*)?>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

interface NetLog {
  readonly events: readonly {
    readonly params?: {
      readonly url?: string
      readonly initiator?: string
      readonly request_type?: string
    }
  }[]
}

/** The browser's own errands have no page as their origin. */
function requestsIn(netLog: string): string[] {
  const { events }: NetLog = JSON.parse(netLog)
  const asked = events.flatMap(({ params }) =>
    params?.url !== undefined &&
    (params.request_type === 'main frame' || params.initiator?.startsWith('http') === true)
      ? [params.url]
      : [],
  )
  return [...new Set(asked)]
}
