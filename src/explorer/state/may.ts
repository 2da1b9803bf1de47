import { useEffect, useState } from 'preact/hooks'
import type { LoregraphClient } from '../../client/index.js'
import { answered, toRefusal } from './refusal.js'
import { useSession } from './session.js'

/** What the secret allows; nothing is offered before that is known. */
export interface May {
  readonly write: boolean
  readonly admin: boolean
}

const NOTHING: May = { write: false, admin: false }
const known = new Map<string, Promise<May>>()

/** No operation says what a secret may do, so it is tried with requests that change nothing. */
export function useMay(graphId: string): May {
  const { client, secret } = useSession()
  const [may, setMay] = useState(NOTHING)
  useEffect(() => {
    let isOver = false
    const asked = known.get(secret) ?? ask(client, graphId)
    known.set(secret, asked)
    asked.then(
      (found) => !isOver && setMay(found),
      () => known.delete(secret),
    )
    return () => {
      isOver = true
    }
  }, [client, secret, graphId])
  return may
}

async function ask(client: LoregraphClient, graphId: string): Promise<May> {
  const write = await isAllowed(
    answered(
      client.POST('/v1/events', {
        body: {
          graph_id: graphId,
          event_kind: 'observation',
          payload: { value: 'May this key record?' },
          similar: false,
          dry_run: true,
        },
      }),
    ),
  )
  if (!write) return NOTHING
  return {
    write,
    admin: await isAllowed(answered(client.GET('/v1/keys', { params: { query: { page_size: 1 } } }))),
  }
}

async function isAllowed(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (reason) {
    const refusal = toRefusal(reason)
    if (refusal.isUnreachable) throw refusal
    // A key may record as some sources and not as others: it may still record.
    return refusal.code !== 'insufficient_scope' && refusal.code !== 'unauthorized'
  }
}
