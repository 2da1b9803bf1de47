/** Settings of the PostgreSQL database. */
export interface DatabaseSettings {
  readonly url: string
  readonly poolSize: number
  /** In milliseconds. */
  readonly statementTimeout: number
}

/** Names with their help texts. */
export const DATABASE_SETTINGS: readonly (readonly [string, string])[] = [
  [
    'DATABASE_URL',
    'keep knowledge in PostgreSQL, e.g. postgres://user@host/name, and not in the data folder',
  ],
  ['LOREGRAPH_DB_POOL', 'the most connections to it; 10 if absent'],
  ['LOREGRAPH_DB_TIMEOUT', 'how many seconds one statement may take; 15 if absent'],
]

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Undefined without `DATABASE_URL`. Adds messages to `mistakes`, without the URL, which may hold a password.
 */
export function readDatabase(env: Environment, mistakes: string[]): DatabaseSettings | undefined {
  const url = env['DATABASE_URL']
  if (url !== undefined && !isDatabaseUrl(url))
    mistakes.push('DATABASE_URL must be an address such as postgres://user:password@host:5432/name.')
  const poolSize = wholeNumber(env, 'LOREGRAPH_DB_POOL', 10, 3, 1000, mistakes)
  const seconds = wholeNumber(env, 'LOREGRAPH_DB_TIMEOUT', 15, 1, 600, mistakes)
  return url === undefined ? undefined : { url, poolSize, statementTimeout: seconds * 1000 }
}

/**
 * Like `libpq`, also accepts the folder of a socket instead of a host: `postgres://user@/name?host=/folder`.
 */
function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return false
  return URL.canParse(text) || (/[?&]host=/.test(text) && URL.canParse(text.replace('@/', '@socket/')))
}

function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
  mistakes: string[],
): number {
  const text = env[name] ?? String(fallback)
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    mistakes.push(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`)
  return value
}
