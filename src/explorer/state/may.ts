import type { LoregraphClient } from '../../client/index.js'
import { useLoad } from './load.js'
import { answered } from './refusal.js'

/** What the secret allows; nothing is offered before that is known. */
export interface May {
  readonly write: boolean
  readonly admin: boolean
}

const NOTHING: May = { write: false, admin: false }
const known = new WeakMap<LoregraphClient, Promise<May>>()

export function useMay(): May {
  return useLoad('may', askMay).data ?? NOTHING
}

/** Asks once for each client, which has one secret. */
export function askMay(client: LoregraphClient): Promise<May> {
  const asked = known.get(client) ?? ask(client)
  known.set(client, asked)
  asked.catch(() => known.delete(client))
  return asked
}

async function ask(client: LoregraphClient): Promise<May> {
  const { scopes } = await answered(client.GET('/v1/keys/self'))
  return { write: scopes.includes('write'), admin: scopes.includes('admin') }
}
