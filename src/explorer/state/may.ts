import { useEffect, useState } from 'preact/hooks'
import type { LoregraphClient } from '../../client/index.js'
import { answered } from './refusal.js'
import { type Session, useSession } from './session.js'

/** What the secret allows; nothing is offered before that is known. */
export interface May {
  readonly write: boolean
  readonly admin: boolean
}

const NOTHING: May = { write: false, admin: false }
const known = new Map<string, Promise<May>>()

export function useMay(): May {
  const session = useSession()
  const [may, setMay] = useState(NOTHING)
  useEffect(() => {
    let isOver = false
    askMay(session).then(
      (found) => !isOver && setMay(found),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [session.secret])
  return may
}

/** Asks once for each secret. */
export function askMay({ client, secret }: Session): Promise<May> {
  const asked = known.get(secret) ?? ask(client)
  known.set(secret, asked)
  asked.catch(() => known.delete(secret))
  return asked
}

async function ask(client: LoregraphClient): Promise<May> {
  const { scopes } = await answered(client.GET('/v1/keys/self'))
  return { write: scopes.includes('write'), admin: scopes.includes('admin') }
}
