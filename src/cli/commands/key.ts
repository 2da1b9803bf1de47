import { SCOPES } from '../../domain/keys.js'
import { parseTimestamp } from '../../domain/time.js'
import { Stop, usage } from '../output/exits.js'
import { show } from '../output/show.js'
import { harmless } from '../output/terminal.js'
import type { Values } from '../parse/options.js'
import type { Api, Key, KeyRequest } from '../target/api.js'
import type { Job } from './job.js'

export function readKeyRequest(values: Values, now: Date): KeyRequest {
  const { name, scope = [], graph, source, expires } = values
  const mistakes: string[] = []
  if (name === undefined) mistakes.push('key create needs --name <words>: what the key is for.')
  if (scope.length === 0)
    mistakes.push(`key create needs --scope <scope>: ${SCOPES.join(', ')}; once for each.`)
  const expiresAt = expires === undefined ? undefined : expiryOf(expires, now)
  if (expires !== undefined && (expiresAt === undefined || expiresAt <= now.toISOString()))
    mistakes.push(
      `--expires must be in the future: 12h, 90d or such as 2027-03-02T00:00:00Z, not ${JSON.stringify(expires)}.`,
    )
  if (mistakes.length > 0) throw usage(mistakes, 'key create')
  // The service refuses any word that is no scope, or no source.
  return {
    name: name ?? '',
    scopes: wordsIn(scope) as KeyRequest['scopes'],
    ...(graph !== undefined && { graphs: [...new Set(graph)] }),
    ...(source !== undefined && { sources: wordsIn(source) as NonNullable<KeyRequest['sources']> }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}

function wordsIn(given: readonly string[]): string[] {
  return [...new Set(given.flatMap((one) => one.split(',').map((word) => word.trim())))]
}

const EXPIRY = /^([1-9]\d{0,5})([hdw])$/
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function expiryOf(text: string, now: Date): string | undefined {
  const [, count = '', unit = ''] = EXPIRY.exec(text) ?? []
  try {
    if (count === '') return parseTimestamp(text, '--expires')
    return parseTimestamp(
      new Date(now.getTime() + Number(count) * (UNITS[unit] ?? 0)).toISOString(),
      '--expires',
    )
  } catch {
    return undefined
  }
}

/** `loregraph key create`: the secret alone on stdout, everything else on stderr. If the secret cannot be shown, the key is revoked. */
export async function createKey({ api, values, terminal, note, now }: Job): Promise<void> {
  const { secret, ...key } = await api.createKey(readKeyRequest(values, now()))
  if (!values.json) {
    note(`${key.key_id}: ${summary(key)}.`)
    note('The secret, shown this once:')
  }
  try {
    await show(terminal.stdout, `${values.json ? JSON.stringify({ secret, ...key }) : secret}\n`)
  } catch (error) {
    throw await revokeUnshown(api, key, error)
  }
}

async function revokeUnshown(api: Api, { key_id }: Pick<Key, 'key_id'>, cause: unknown): Promise<Stop> {
  const revoked = api.revokeKey(key_id).then(() => true)
  const isRevoked = await revoked.catch(() => false)
  const why = cause instanceof Error ? cause.message : cause
  const then = isRevoked
    ? `${key_id} was revoked again`
    : `${key_id} could not be revoked: revoke it with "loregraph key revoke ${key_id}"`
  return new Stop('disk', `The secret could not be shown on stdout (${why}). ${then}.`, { cause })
}

export async function listKeys({ api, values, print, note, now }: Job): Promise<void> {
  const keys = await api.keys()
  if (values.json) return print(JSON.stringify({ keys, total: keys.length }))
  if (keys.length === 0) note('There are no keys but the root secret. Make one with "loregraph key create".')
  for (const key of keys) {
    const expired = key.expires_at !== undefined && key.expires_at <= now().toISOString()
    print(`${key.key_id}  ${summary(key)}${expired ? '; it has expired' : ''}`)
  }
}

export async function revokeKey({ api, operands: [keyId = ''], values, print }: Job): Promise<void> {
  // A secret in the path would be written to access logs.
  if (keyId.startsWith('lore_'))
    throw usage(
      ['A key is named by its id, not by its secret. "loregraph key list" shows the ids.'],
      'key revoke',
    )
  const withDescendants = values['with-descendants'] ?? false
  await api.revokeKey(keyId, withDescendants)
  const suffix = withDescendants ? ', with every key that was made with it' : ''
  print(values.json ? JSON.stringify({ key_id: keyId, revoked: true }) : `${keyId} was revoked${suffix}.`)
}

function summary({ name, scopes, graphs, sources, created_by, expires_at }: Omit<Key, 'key_id'>): string {
  const where = graphs === undefined ? 'every graph' : graphs.join(', ')
  const as = sources === undefined ? '' : ` as ${sources.join(', ')}`
  const until = expires_at === undefined ? '' : `, until ${expires_at}`
  const by = created_by === undefined || created_by === 'root' ? '' : `, made with ${created_by}`
  return `${JSON.stringify(harmless(name))} may ${scopes.join(' and ')} ${where}${as}${until}${by}`
}
