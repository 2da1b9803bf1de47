import pg from 'pg'

export interface PoolOptions {
  readonly url: string
  /** The most connections. */
  readonly size: number
  /** How long a statement may take, in milliseconds. */
  readonly statementTimeout?: number | undefined
  /** How long to wait for a connection, in milliseconds. */
  readonly connectionTimeout?: number | undefined
  /** By which name the database knows the connections. */
  readonly name?: string
  readonly log: { warn(details: object, message: string): void }
  readonly connected?: (client: pg.ClientBase) => void
}

const STATEMENT_TIMEOUT = 15_000
export const CONNECTION_TIMEOUT = 5_000
const IDLE_IN_TRANSACTION = 30_000
/** What the network may add to a statement that the database has given up on. */
const GRACE = 5_000

export function createPool(options: PoolOptions): pg.Pool {
  const { statementTimeout = STATEMENT_TIMEOUT, connectionTimeout = CONNECTION_TIMEOUT } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name ?? 'loregraph',
    max: options.size,
    connectionTimeoutMillis: connectionTimeout,
    query_timeout: statementTimeout + GRACE,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
  })
  pool.on('error', (error) => options.log.warn({ err: error }, 'A connection to the database ended.'))
  pool.on('connect', (client) => {
    options.connected?.(client)
    // A connection in use fails its statement, which says so; the pool listens only to idle ones.
    client.on('error', () => undefined)
    // Compiling a query takes longer than any of ours.
    const settings = `SET jit = off; SET statement_timeout = ${statementTimeout}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION}`
    client.query(settings).catch(() => undefined)
  })
  return pool
}

const BIGINT = 20
const BIGINTS = 1016

/** Places in the order of recording and counts stay far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === BIGINT) return Number
  if (oid === BIGINTS)
    return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
  return pg.types.getTypeParser(oid, format)
}
