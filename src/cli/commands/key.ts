import { parseTimestamp } from '../../domain/time.js'
import { Stop } from '../output/exits.js'
import { show } from '../output/show.js'
import { harmless } from '../output/terminal.js'
import { usage } from '../parse/args.js'
import {
  EXPIRY,
  graphMistakes,
  keyIdMistakes,
  keyNameMistakes,
  scopeMistakes,
  sourceMistakes,
} from '../parse/check-operands.js'
import type { Values } from '../parse/options.js'
import type { Api, Key, KeyRequest } from '../target/api.js'
import type { Prepare } from './job.js'

/** The request of `key create`, checked before anything is opened. */
export function readKeyRequest(values: Values, now: Date): KeyRequest {
  const { name, scope = [], graph, source, expires } = values
  const scopes = scope.flatMap((it) => it.split(','))
  const sources = source?.flatMap((it) => it.split(','))
  const mistakes = [
    ...keyNameMistakes(name),
    ...scopeMistakes(scopes),
    ...sourceMistakes(sources ?? []),
    ...(graph ?? []).flatMap((id) => graphMistakes(id, '--graph')),
  ]
  const expiresAt = expires === undefined ? undefined : momentOf(expires, now)
  if (expires !== undefined && (expiresAt === undefined || expiresAt <= now.toISOString()))
    mistakes.push(
      `--expires must be in the future: 12h, 90d or such as 2027-03-02T00:00:00Z, not ${JSON.stringify(expires)}.`,
    )
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph key create --help')
  return {
    name: name ?? '',
    // They are the scopes of the contract, as was just checked.
    scopes: [...new Set(scopes)] as KeyRequest['scopes'],
    ...(graph !== undefined && { graphs: [...new Set(graph)] }),
    // As above.
    ...(sources !== undefined && { sources: [...new Set(sources)] as NonNullable<KeyRequest['sources']> }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  }
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function momentOf(text: string, now: Date): string | undefined {
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

/** `loregraph key create`: the secret alone on stdout, everything else beside it. No key is left whose secret was lost. */
export const createKey: Prepare = ({ values, terminal, note, now }) => {
  const request = readKeyRequest(values, now())
  return async (api) => {
    const { secret, ...key } = await api.createKey(request)
    if (!values.json) {
      note(`${key.key_id}: ${summary(key)}.`)
      note('The secret, shown this once:')
    }
    try {
      await show(terminal.stdout, `${values.json ? JSON.stringify({ secret, ...key }) : secret}\n`)
    } catch (error) {
      throw await unshown(api, key, error)
    }
  }
}

async function unshown(api: Api, { key_id }: Pick<Key, 'key_id'>, cause: unknown): Promise<Stop> {
  const isRevoked = await api.revokeKey(key_id).then(
    () => true,
    () => false,
  )
  const why = cause instanceof Error ? cause.message : cause
  const then = isRevoked
    ? `${key_id} was revoked again`
    : `${key_id} is of no use: revoke it with "loregraph key revoke ${key_id}"`
  return new Stop('disk', `The secret could not be shown on stdout (${why}). ${then}.`, { cause })
}

/** `loregraph key list` */
export const listKeys: Prepare =
  ({ values, print, note, now }) =>
  async (api) => {
    const keys = await api.keys()
    if (values.json) return print(JSON.stringify({ keys, total: keys.length }))
    if (keys.length === 0)
      note('There are no keys but the root secret. Make one with "loregraph key create".')
    for (const key of keys) {
      const expired = key.expires_at !== undefined && key.expires_at <= now().toISOString()
      print(`${key.key_id}  ${summary(key)}${expired ? '; it has expired' : ''}`)
    }
  }

/** `loregraph key revoke` */
export const revokeKey: Prepare = ({ values, print, operands }) => {
  const [keyId = ''] = operands
  const withDescendants = values['with-descendants'] ?? false
  const mistakes = keyIdMistakes(keyId)
  if (mistakes.length > 0) throw usage(mistakes, 'loregraph key revoke --help')
  return async (api) => {
    await api.revokeKey(keyId, withDescendants)
    const and = withDescendants ? ', with every key that was made with it' : ''
    print(values.json ? JSON.stringify({ key_id: keyId, revoked: true }) : `${keyId} was revoked${and}.`)
  }
}

function summary({ name, scopes, graphs, sources, created_by, expires_at }: Omit<Key, 'key_id'>): string {
  const where = graphs === undefined ? 'every graph' : graphs.join(', ')
  const as = sources === undefined ? '' : ` as ${sources.join(', ')}`
  const until = expires_at === undefined ? '' : `, until ${expires_at}`
  const by = created_by === undefined || created_by === 'root' ? '' : `, made with ${created_by}`
  return `${JSON.stringify(harmless(name))} may ${scopes.join(' and ')} ${where}${as}${until}${by}`
}
