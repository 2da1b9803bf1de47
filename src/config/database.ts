/** Where knowledge is kept when it is in PostgreSQL. */
export interface DatabaseSettings {
  readonly url: string
  readonly poolSize: number
  /** In milliseconds. */
  readonly statementTimeout: number
}

/** Each by name, with what the help says of it. */
export const DATABASE_SETTINGS: readonly (readonly [string, string])[] = [
  [
    'DATABASE_URL',
    'keep knowledge in PostgreSQL, e.g. postgres://user@host/name, and not in the data folder',
  ],
  ['LOREGRAPH_DB_POOL', 'the most connections to it; 10 if absent'],
  ['LOREGRAPH_DB_TIMEOUT', 'how many seconds one statement may take; 15 if absent'],
]

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads them, and adds what is wrong with them to `mistakes`; undefined without a `DATABASE_URL`. None is repeated. */
export function readDatabase(env: Environment, mistakes: string[]): DatabaseSettings | undefined {
  const url = env['DATABASE_URL']
  if (url !== undefined && !isDatabaseUrl(url))
    mistakes.push('DATABASE_URL must be an address such as postgres://user:password@host:5432/name.')
  const poolSize = wholeNumber(env, 'LOREGRAPH_DB_POOL', 10, 2, 1000, mistakes)
  const seconds = wholeNumber(env, 'LOREGRAPH_DB_TIMEOUT', 15, 1, 600, mistakes)
  return url === undefined ? undefined : { url, poolSize, statementTimeout: seconds * 1000 }
}

/** `postgres://user@/name?host=/folder` names no host but the folder of a socket, as `libpq` takes it. */
function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return false
  return URL.canParse(text) || (/[?&]host=/.test(text) && URL.canParse(text.replace('@/', '@socket/')))
}

function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  least: number,
  most: number,
  mistakes: string[],
): number {
  const text = env[name] ?? String(fallback)
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    mistakes.push(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
  return value
}
