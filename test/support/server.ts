import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { MeaningMode } from '../../src/config/meaning.js'
import type { MetricsReaders } from '../../src/config/serving.js'
import type { Contract } from '../../src/contract/contract.js'
import type { Handlers, Input } from '../../src/contract/operations.js'
import { readContract } from '../../src/contract/read-contract.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { createHandlers } from '../../src/handlers/index.js'
import { auditLog } from '../../src/handlers/ports.js'
import { createApp } from '../../src/http/app.js'
import { ADMISSION_LIMITS, type AdmissionLimits } from '../../src/http/load/admission.js'
import type { BodyLimits } from '../../src/http/load/body-bytes.js'
import type { RateLimits } from '../../src/http/load/rate-limits.js'
import type { ReadFiles } from '../../src/http/pages/file-cache.js'
import type { Metrics } from '../../src/http/pages/metrics.js'
import { createListener, LIMITS, type Limits, type Listener } from '../../src/http/server.js'
import { authenticator } from '../../src/http/steps/auth.js'
import { importLineSchema } from '../../src/http/validation/import-line-schema.js'
import { createValidator } from '../../src/http/validation/validator.js'
import { openFileStore } from '../../src/log/file-store.js'
import { mcpEndpoint } from '../../src/mcp/endpoint.js'
import { openMeaning } from '../../src/service/meaning/open-meaning.js'
import { hashSecret } from '../../src/store/hash-secret.js'
import type { Store } from '../../src/store/store.js'

export interface TestServer {
  readonly url: string
  readonly port: number
  readonly secret: string
  readonly folder: string
  /** The store behind it, for setting the scene. */
  readonly store: Store
  readonly contract: Contract
  /** The log, a line an object. */
  readonly lines: readonly Record<string, unknown>[]
  /** `fetch` with the secret; an object given as `json` is sent as the body of a POST. */
  fetch(path: string, init?: TestInit): Promise<Response>
  /** The same, answered with the status and the parsed body. */
  call(
    path: string,
    init?: TestInit,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
  /** Makes a key with the root secret. */
  key(parts: Partial<Input<'createKey'>['body']>): Promise<TestKey>
  /** Closes everything and opens it again from disk, on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
  /** As the service does when it is asked to stop. */
  drain(deadlineMs: number): Promise<void>
}

export interface TestKey {
  readonly key_id: string
  readonly secret: string
  /** The header to send it in. */
  readonly headers: { readonly Authorization: string }
}

export interface TestInit extends RequestInit {
  readonly json?: unknown
}

export interface TestOptions {
  /** Takes the place of some of the real handlers. */
  readonly handlers?: Partial<Handlers>
  readonly docs?: ReadFiles
  readonly explorer?: ReadFiles
  readonly limits?: Limits
  /** The time of day. */
  readonly now?: () => Date
  readonly unready?: () => string | undefined
  readonly rateLimits?: RateLimits
  readonly corsOrigins?: readonly string[]
  readonly allowedHosts?: readonly string[]
  readonly admissionLimits?: AdmissionLimits
  readonly bodyLimits?: BodyLimits
  readonly metrics?: Metrics
  readonly metricsReaders?: MetricsReaders
  /** Takes the place of a store in a folder of its own, and is not closed with the server. */
  readonly store?: Store
  /** How long a follower hears nothing at most. */
  readonly heartbeatMs?: number
  /** Whether texts are read for meaning, which takes time; `off` if it is left out. */
  readonly meaning?: MeaningMode
}

/** A busy machine is no reason to refuse anything, unless that is what is tested. */
const PATIENT: AdmissionLimits = { ...ADMISSION_LIMITS, waitMs: 60_000 }

const contract = readContract(readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8'))
const lineSchema = importLineSchema(contract.document)
const validator = createValidator(contract)
const mcp = mcpEndpoint(contract.document)

/** The whole service over real HTTP and a real store in a folder of its own, in this process. */
export async function startTestServer(options: TestOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-'))
  const secret = `test_${randomBytes(32).toString('base64url')}`
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const start = (port: number) => open({ folder, port, secret, log, options })
  let running = await start(0)
  const { port } = running
  const url = `http://127.0.0.1:${port}`
  const send = (path: string, init: TestInit = {}) => fetch(url + path, toRequest(secret, init))
  const call: TestServer['call'] = async (path, init) => {
    const response = await send(path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  return {
    url,
    port,
    secret,
    folder,
    contract,
    lines,
    get store() {
      return running.store
    },
    fetch: send,
    call,
    async key(parts) {
      const { status, body } = await call('/v1/keys', { json: { name: 'test', scopes: ['read'], ...parts } })
      const { key_id, secret } = body
      if (typeof secret !== 'string' || typeof key_id !== 'string')
        throw new Error(`No key was made: ${status} ${JSON.stringify(body)}`)
      return { key_id, secret, headers: { Authorization: `Bearer ${secret}` } }
    },
    async restart() {
      await running.stop()
      running = await start(port)
    },
    drain: (deadlineMs) => running.drain(deadlineMs),
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Settings {
  readonly folder: string
  readonly port: number
  readonly secret: string
  readonly log: Logger
  readonly options: TestOptions
}

async function open({ folder, port, secret, log, options }: Settings) {
  const now = options.now ?? (() => new Date())
  const texts = new TextCache()
  const meaning = await openMeaning(options.meaning ?? 'off', { log })
  const reading = meaning && { meaning }
  const store = options.store ?? (await openFileStore({ folder, now, randomBytes, log, texts, ...reading }))
  const heartbeat = options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }
  const surroundings = { now, randomBytes, lines: lineSchema, audit: auditLog(log), ...heartbeat }
  const app = await createApp({
    contract,
    validator: await validator,
    handlers: {
      ...createHandlers(store, { texts, ...reading }, surroundings),
      ...options.handlers,
    },
    authenticator: authenticator({ rootHash: hashSecret(secret), keys: store.keys, now }),
    log,
    docs: options.docs,
    explorer: options.explorer,
    unready: options.unready ?? (() => undefined),
    ...(options.rateLimits && { limits: options.rateLimits }),
    ...(options.corsOrigins && { corsOrigins: options.corsOrigins }),
    ...(options.allowedHosts && { allowedHosts: options.allowedHosts }),
    admissionLimits: options.admissionLimits ?? PATIENT,
    ...(options.bodyLimits && { bodyLimits: options.bodyLimits }),
    mcp,
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.metricsReaders && { metricsReaders: options.metricsReaders }),
  })
  // On a busy machine, a client would use a connection again just as it is closed.
  const patient = { ...LIMITS, keepAliveTimeout: 60_000 }
  const listener: Listener = createListener(app, log, options.limits ?? patient)
  await new Promise<void>((resolve) => listener.server.listen(port, '127.0.0.1', resolve))
  // The address of a server that listens on a port is never a string.
  const address = listener.server.address() as AddressInfo
  return {
    store,
    port: address.port,
    drain: (deadlineMs: number) => listener.drain(deadlineMs),
    async stop() {
      const closed = new Promise((resolve) => listener.server.close(resolve))
      listener.server.closeAllConnections()
      await closed
      if (store !== options.store) await store.close()
      await meaning?.close()
    },
  }
}

function toRequest(secret: string, { json, ...init }: TestInit): RequestInit {
  const headers = new Headers(init.headers)
  if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${secret}`)
  if (json === undefined) return { ...init, headers, redirect: 'manual' }
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  return { method: 'POST', ...init, headers, body: JSON.stringify(json) }
}
