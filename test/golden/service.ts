import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { readContract } from '../../src/contract/read-contract.js'
import type { ClockAndRandom } from '../../src/domain/clock-and-random.js'
import { TextCache } from '../../src/domain/text-cache.js'
import { createHandlers } from '../../src/handlers/index.js'
import { createApp } from '../../src/http/app.js'
import { innerFetch } from '../../src/http/inner-fetch.js'
import { ADMISSION_LIMITS } from '../../src/http/load/admission.js'
import { authenticator } from '../../src/http/steps/auth.js'
import { importLineSchema } from '../../src/http/validation/import-line-schema.js'
import { createValidator } from '../../src/http/validation/validator.js'
import { openFileStore } from '../../src/log/file-store.js'
import { openPostgresStore } from '../../src/log/postgres-store.js'
import type { LogStore } from '../../src/log/store.js'
import { loadDemo } from '../../src/service/demo-graph.js'
import { hashSecret } from '../../src/store/hash-secret.js'

/** Where everything is kept from one start of a service to the next. */
export interface Place {
  open(ports: ClockAndRandom, texts: TextCache): Promise<LogStore>
  remove(): Promise<void>
}

/** The service in this process, without an encoder. Nothing else here knows how one is started. */
export interface Service {
  /** As `fetch`, without a connection unless one is needed: for what comes or goes piece by piece. */
  fetch(path: string, init: RequestInit, wire: 'inner' | 'connection'): Promise<Response>
  loadDemo(): Promise<unknown>
  stop(): Promise<void>
}

/** So short that a follower is told at once that there is nothing more. */
const HEARTBEAT_MS = 1

const SECRET = 'a-secret-for-golden-answers-and-nothing-else'
const SILENT = pino({ level: 'silent' })

const contract = readContract(readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8'))
const lines = importLineSchema(contract.document)
const validator = createValidator(contract)

export async function makeFolder(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'loregraph-golden-'))
  return {
    open: (ports, texts) => openFileStore({ ...ports, folder, texts, log: SILENT }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A database of that server. */
export async function makeDatabase(server: string): Promise<Place> {
  const url = new URL(server)
  url.pathname = `/golden_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${url.pathname.slice(1)}`)
  return {
    open: (ports, texts) => openPostgresStore({ ...ports, url: url.href, texts, log: SILENT }),
    async remove() {
      await client.query(`DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)`)
      await client.end()
    },
  }
}

export async function startService(place: Place, ports: ClockAndRandom): Promise<Service> {
  const texts = new TextCache()
  const store = await place.open(ports, texts)
  const { listener } = await createApp({
    contract,
    validator: await validator,
    handlers: createHandlers(store, { texts }, { ...ports, lines, audit() {}, heartbeatMs: HEARTBEAT_MS }),
    authenticator: authenticator({ rootHash: hashSecret(SECRET), keys: store.keys, now: ports.now }),
    log: SILENT,
    unready: () => undefined,
    // A busy machine is no reason to refuse anything.
    admissionLimits: { ...ADMISSION_LIMITS, waitMs: 600_000 },
  })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a server that listens on a port is never a string.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = innerFetch(listener)
  return {
    fetch(path, init, wire) {
      const headers = new Headers(init.headers)
      headers.set('Authorization', `Bearer ${SECRET}`)
      // Problems repeat the id of their request.
      headers.set('X-Request-Id', 'golden')
      const request = new Request(url + path, { ...init, headers })
      return wire === 'inner' ? ask(request) : fetch(request)
    },
    loadDemo: () => loadDemo(store),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await store.close()
    },
  }
}
