import type { Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.js'
import type { ContractDocument } from '../contract/contract.js'
import { loadContract } from '../contract/load-contract.js'
import { makeSecret } from '../domain/secret.js'
import { TextCache } from '../domain/text-cache.js'
import { createHandlers } from '../handlers/index.js'
import { auditLog } from '../handlers/ports.js'
import { createApp } from '../http/app.js'
import { Loop } from '../http/load/loop.js'
import { rateLimits } from '../http/load/rate-limits.js'
import { madeOnce } from '../http/pages/made-once.js'
import { createMetrics } from '../http/pages/metrics.js'
import { createListener } from '../http/server.js'
import { authenticator } from '../http/steps/auth.js'
import { importLineSchema } from '../http/validation/import-line-schema.js'
import type { McpEndpoint } from '../mcp/exchange.js'
import { hashSecret } from '../store/hash-secret.js'
import { readBuilt } from './built-files.js'
import { loadDemo } from './demo-graph.js'
import { watchBacklog } from './meaning/backlog.js'
import { openMeaning } from './meaning/open-meaning.js'
import { type Opened, openStore, type ServicePorts } from './open-store.js'
import { logMetrics, meaningMetrics } from './store-metrics.js'

const ROOT = new URL('../../', import.meta.url)

/** Runs the service until it is asked to stop or the store fails. Resolves to the exit code. */
export async function serve(config: Config, ports: ServicePorts): Promise<number> {
  const { log, droppedLines, print, now, randomBytes, stop } = ports
  let fatal: ((error: Error) => void) | undefined
  const failed = new Promise<Error>((resolve) => {
    fatal = resolve
  })
  const texts = new TextCache()
  const meaning = await openMeaning(config.meaning, { log, texts })
  const loop = new Loop()
  const opened = await openStore(config, ports, {
    texts,
    meaning,
    turn: () => loop.resumeStore(),
    failed: (error) => fatal?.(error),
  })
  const { store } = opened
  const backlog = meaning && watchBacklog(store, log)
  try {
    const storedHash = config.secretHash ?? (await opened.secret.known())
    const withRoot = (rootHash: Buffer) => authenticator({ rootHash, keys: store.keys, now })
    // On a first start no secret is the root secret until one has been shown.
    const noRoot = withRoot(hashSecret(makeSecret(randomBytes)))
    let root = storedHash === undefined ? noRoot : withRoot(storedHash)
    if (config.demo) await loadDemo(store)
    let draining = false
    const metrics = createMetrics()
    opened.addMetrics(metrics)
    if (meaning && backlog) meaningMetrics(metrics, backlog, meaning)
    logMetrics(metrics, droppedLines)
    const contract = await loadContract()
    const app = await createApp({
      contract,
      handlers: createHandlers(
        store,
        { texts, ...(meaning && { meaning }) },
        {
          now,
          randomBytes,
          lines: importLineSchema(contract.document),
          audit: auditLog(log),
        },
      ),
      authenticator: {
        authenticate: (secret) => root.authenticate(secret),
        knownKey: (secret) => root.knownKey(secret),
      },
      log,
      docs: () => readBuilt(fileURLToPath(new URL('dist/docs/', ROOT))),
      explorer: () => readBuilt(fileURLToPath(new URL('dist/explorer/', ROOT))),
      unready() {
        if (draining) return 'The service is stopping.'
        const health = store.health()
        return health.writable ? undefined : `Nothing can be recorded: ${health.reason}`
      },
      metrics,
      metricsReaders: config.metricsReaders,
      limits: rateLimits(config.rateLimit),
      corsOrigins: config.corsOrigins,
      allowedHosts: config.allowedHosts,
      mcp: lazyMcp(contract.document),
      loop,
    })
    const listener = createListener(app, log)
    const url = await listen(listener.server, config)
    if (storedHash === undefined) {
      // Only after it listens: the secret is shown once, and a start that fails should not use it up.
      const hash = await opened.secret.make((secret) => {
        root = withRoot(hashSecret(secret))
        return showSecret(ports, welcome(secret, url, opened.secretPlace))
      })
      root = hash === undefined ? noRoot : withRoot(hash)
    }
    // Programs wait for the last line, which therefore comes when the service is ready.
    print(`Explorer       ${url}/`)
    print(`Documentation  ${url}/docs`)
    print(`loregraph listening on ${url}`)
    const failure = await Promise.race([stop, failed])
    if (failure !== undefined) log.fatal({ err: failure }, 'The store can no longer be trusted; stopping.')
    else log.info({}, 'Stopping.')
    draining = true
    await listener.drain(1000 * config.stopSeconds)
    return failure === undefined ? 0 : 1
  } finally {
    backlog?.stop()
    await store.close()
    await meaning?.close()
  }
}

/** Loads MCP with its first message: it would take a tenth of every start, and many never use it. */
function lazyMcp(document: ContractDocument): McpEndpoint {
  const load = madeOnce(async () => (await import('../mcp/endpoint.js')).mcpEndpoint(document))
  return async (exchange) => (await load())(exchange)
}

/**
 * Length of the accept queue. With Node's default of 511 the system drops connections, also of probes, when a
 * few hundred clients connect at once. Clients try again only after one second, then after three.
 */
const BACKLOG = 4096

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const address = server.address()
      const actual = typeof address === 'object' && address !== null ? address.port : port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`)
    })
  })
}

/** The longest wait for a reader of stdout. */
const SHOW_MS = 5_000

async function showSecret({ show, stop, log }: ServicePorts, text: string): Promise<boolean> {
  const done = new AbortController()
  const inTime = setTimeout(SHOW_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error('nobody reads it')
  })
  try {
    await Promise.race([show(text), stop.then(() => Promise.reject(new Error('the service stops'))), inTime])
    return true
  } catch (error) {
    log.warn(
      { err: error },
      'The secret of this first start could not be shown on stdout, and is not in force: the next start makes another. Or give one in LOREGRAPH_SECRET.',
    )
    return false
  } finally {
    done.abort()
  }
}

function welcome(secret: string, url: string, { kept, renew }: Opened['secretPlace']): string {
  return `
Your secret, shown this once (only its hash is kept, in ${kept}):

  ${secret}

Record something:

  curl -s ${url}/v1/events -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' \\
    -d '{"graph_id":"demo","event_kind":"fact","payload":{"data":"Loregraph is running"}}'

To have a new one made, ${renew}.

`
}
