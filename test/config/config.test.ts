import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readArgs } from '../../src/cli/args.js'
import { readFolder, readTarget } from '../../src/cli/target/target.js'
import { ConfigError, readConfig as readServeConfig } from '../../src/config/config.js'
import { hashSecret } from '../../src/store/hash-secret.js'

const SECRET = 'a-secret-of-more-than-32-characters'

/** The settings of `serve` with these arguments. */
function readConfig(env: Record<string, string>, args: readonly string[]) {
  const asked = readArgs(args)
  if (asked.asks !== 'command') throw new Error(`It asks for ${asked.asks}.`)
  return readServeConfig(env, asked.values)
}

test('nothing set: the defaults', () => {
  expect(readConfig({}, [])).toEqual({
    host: '127.0.0.1',
    port: 7400,
    data: './data',
    secretHash: undefined,
    logLevel: 'info',
    meaning: 'on',
    rateLimit: { quota: 1000, windowSeconds: 10 },
    corsOrigins: [],
    metricsReaders: 'local',
    allowedHosts: [],
    stopSeconds: 8,
    demo: false,
  })
})

test('the address in the contract is the default one', () => {
  const { host, port } = readConfig({}, [])
  const { servers } = parse(readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8'))
  expect(servers).toEqual([expect.objectContaining({ url: `http://${host}:${port}` })])
})

test('flags before environment before defaults; the secret is kept only as a hash; nothing can be changed', () => {
  const env = {
    LOREGRAPH_HOST: '0.0.0.0',
    LOREGRAPH_PORT: '1',
    LOREGRAPH_DATA: '/a',
    LOREGRAPH_SECRET: SECRET,
  }
  const config = readConfig(env, ['serve', '--port', '0', '--data=/b', '--demo'])
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    data: '/b',
    demo: true,
    secretHash: hashSecret(SECRET),
  })
  expect(JSON.stringify(config)).not.toContain(SECRET)
  expect(Object.isFrozen(config)).toBe(true)
})

test('limits, origins and readers of metrics as they are written', () => {
  const env = {
    LOREGRAPH_RATE_LIMIT: '50/2m',
    LOREGRAPH_CORS_ORIGINS: 'https://a.example, http://localhost:3000',
    LOREGRAPH_METRICS: 'public',
    LOREGRAPH_STOP_SECONDS: '60',
  }
  expect(readConfig(env, [])).toMatchObject({
    rateLimit: { quota: 50, windowSeconds: 120 },
    corsOrigins: ['https://a.example', 'http://localhost:3000'],
    metricsReaders: 'public',
    stopSeconds: 60,
  })
  expect(readConfig({ LOREGRAPH_RATE_LIMIT: 'off' }, []).rateLimit).toBeUndefined()
})

test('requests for another host are refused on loopback, and elsewhere when names are set', () => {
  const there = { LOREGRAPH_HOST: '0.0.0.0', LOREGRAPH_SECRET: SECRET }
  expect(readConfig({}, ['--host', 'localhost']).allowedHosts).toEqual([])
  expect(readConfig(there, []).allowedHosts).toBeUndefined()
  const LOREGRAPH_ALLOWED_HOSTS = 'Lore.example, 192.0.2.7,::1,lore.example,2001:DB8:0:0::1'
  for (const env of [{}, there])
    expect(readConfig({ ...env, LOREGRAPH_ALLOWED_HOSTS }, []).allowedHosts).toEqual([
      'lore.example',
      '192.0.2.7',
      '::1',
      '2001:db8::1',
    ])
})

test.each(['on', 'auto', 'off'])('reading for meaning: %s', (mode) => {
  expect(readConfig({ LOREGRAPH_MEANING: mode }, []).meaning).toBe(mode)
})

test.each([
  'postgres://user@/lg?host=/var/run/postgresql',
  'postgres:///lg?host=/tmp',
  'postgresql://u:p@h:1/d',
])('a database by address or by socket: %s', (url) =>
  expect(readConfig({ DATABASE_URL: url }, []).database?.url).toBe(url),
)

test('verify and repair need the folder alone', () => {
  expect(readFolder({ LOREGRAPH_HOST: '0.0.0.0', LOREGRAPH_DATA: '/d' }, {})).toBe('/d')
  expect(readFolder({ LOREGRAPH_DATA: '/d' }, { data: '/e' })).toBe('/e')
  expect(() => readFolder({ LOREGRAPH_DATA: '', LOREGRAPH_DAAT: '' }, {})).toThrow(/DAAT[\s\S]*is empty/)
})

test('reading for meaning is also a setting of commands on the data folder or the database', async () => {
  const target = (env: Record<string, string>) => readTarget(env, {})
  const there = { DATABASE_URL: 'postgres://x' }
  expect(await target({})).toMatchObject({ kind: 'folder', meaning: 'on' })
  expect(await target({ LOREGRAPH_MEANING: 'off' })).toMatchObject({ kind: 'folder', meaning: 'off' })
  expect(await target({ ...there, LOREGRAPH_MEANING: 'auto' })).toMatchObject({
    kind: 'database',
    meaning: 'auto',
  })
  for (const env of [{}, there])
    await expect(target({ ...env, LOREGRAPH_MEANING: 'no', LOREGRAPH_X: '1' })).rejects.toThrow(
      /LOREGRAPH_X[\s\S]*LOREGRAPH_MEANING/,
    )
})

const BAD: readonly (readonly [string, Record<string, string>, readonly string[], string])[] = [
  ['an unknown setting', { LOREGRAPH_PROT: '1' }, [], 'LOREGRAPH_PROT'],
  ['an unknown setting in lower case', { LOREGRAPH_port: '1' }, [], 'LOREGRAPH_port'],
  ['a port that is too large', { LOREGRAPH_PORT: '65536' }, [], 'LOREGRAPH_PORT'],
  ['a port in hexadecimal', { LOREGRAPH_PORT: '0x50' }, [], 'LOREGRAPH_PORT'],
  ['a bad port as a flag', {}, ['--port', 'x'], '--port'],
  ['a host with a scheme', { LOREGRAPH_HOST: 'http://x' }, [], 'LOREGRAPH_HOST'],
  ['an empty data folder', { LOREGRAPH_DATA: ' ' }, [], 'LOREGRAPH_DATA'],
  ['a data folder with NUL', {}, ['--data', 'a\0b'], 'LOREGRAPH_DATA'],
  ['an unknown log level', { LOREGRAPH_LOG_LEVEL: 'loud' }, [], 'LOREGRAPH_LOG_LEVEL'],
  ['an empty secret', { LOREGRAPH_SECRET: '' }, [], 'at least 32'],
  ['a short secret', { LOREGRAPH_SECRET: 'x'.repeat(31) }, [], 'at least 32'],
  ['a secret with a space', { LOREGRAPH_SECRET: `${SECRET} x` }, [], 'Authorization header'],
  ['a secret outside ASCII', { LOREGRAPH_SECRET: `${SECRET}é` }, [], 'Authorization header'],
  ['every interface without a secret', { LOREGRAPH_HOST: '0.0.0.0' }, [], 'LOREGRAPH_SECRET must be set'],
  ['a public address without a secret', {}, ['--host', '192.0.2.1'], 'LOREGRAPH_SECRET must be set'],
  ['a rate without a time', { LOREGRAPH_RATE_LIMIT: '1000' }, [], 'LOREGRAPH_RATE_LIMIT'],
  ['a rate of nothing', { LOREGRAPH_RATE_LIMIT: '0/1s' }, [], 'LOREGRAPH_RATE_LIMIT'],
  ['a rate in an unknown unit', { LOREGRAPH_RATE_LIMIT: '10/1d' }, [], 'LOREGRAPH_RATE_LIMIT'],
  ['a rate over more than a day', { LOREGRAPH_RATE_LIMIT: '10/25h' }, [], 'LOREGRAPH_RATE_LIMIT'],
  ['too little time to stop', { LOREGRAPH_STOP_SECONDS: '2' }, [], 'LOREGRAPH_STOP_SECONDS'],
  ['a time to stop with a unit', { LOREGRAPH_STOP_SECONDS: '5s' }, [], 'LOREGRAPH_STOP_SECONDS'],
  ['any origin', { LOREGRAPH_CORS_ORIGINS: '*' }, [], '"*" is none'],
  ['an origin with a path', { LOREGRAPH_CORS_ORIGINS: 'https://a.example/' }, [], 'LOREGRAPH_CORS_ORIGINS'],
  ['an origin with a default port', { LOREGRAPH_CORS_ORIGINS: 'https://a.example:443' }, [], 'is none'],
  ['one bad origin of two', { LOREGRAPH_CORS_ORIGINS: 'https://a.example,ftp://b' }, [], '"ftp://b" is none'],
  ['no origin at all', { LOREGRAPH_CORS_ORIGINS: '' }, [], 'LOREGRAPH_CORS_ORIGINS'],
  ['an unknown way of reading', { LOREGRAPH_MEANING: 'true' }, [], 'one of on, auto, off'],
  ['an allowed host with a port', { LOREGRAPH_ALLOWED_HOSTS: 'a.example:80' }, [], '"a.example:80" is none'],
  ['any allowed host', { LOREGRAPH_ALLOWED_HOSTS: 'a.example,*' }, [], '"*" is none'],
  ['no allowed host at all', { LOREGRAPH_ALLOWED_HOSTS: '' }, [], 'LOREGRAPH_ALLOWED_HOSTS'],
  ['unknown readers of metrics', { LOREGRAPH_METRICS: 'yes' }, [], 'LOREGRAPH_METRICS'],
  ['a database that is none', { DATABASE_URL: 'mysql://x:geheim@y' }, [], 'DATABASE_URL must be an address'],
  ['a database of no host', { DATABASE_URL: 'postgres://x@/y' }, [], 'DATABASE_URL must be an address'],
  ['a pool of nothing', { LOREGRAPH_DB_POOL: '0' }, [], 'LOREGRAPH_DB_POOL'],
  ['an endless statement', { LOREGRAPH_DB_TIMEOUT: '601' }, [], 'LOREGRAPH_DB_TIMEOUT'],
]

test.each(BAD)('E3: %s is refused by name', (_name, env, args, named) => {
  expect(() => readConfig(env, args)).toThrow(ConfigError)
  expect(() => readConfig(env, args)).toThrow(named)
})

test('E3: all mistakes are listed at once, and none repeats the secret', () => {
  const env = {
    LOREGRAPH_PORT: 'x',
    LOREGRAPH_HOST: 'a b',
    LOREGRAPH_SECRET: 'too short!',
    LOREGRAPH_X: '1',
    DATABASE_URL: '',
  }
  let error: unknown
  try {
    readConfig(env, [])
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(ConfigError)
  const { mistakes, message } = error as ConfigError
  expect(mistakes).toHaveLength(6)
  expect(message).not.toContain('too short!')
})

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('C19: %s needs no secret', (host) => {
  expect(readConfig({ LOREGRAPH_HOST: host }, []).host).toBe(host)
})
