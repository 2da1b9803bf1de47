import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createClient, type LoregraphClient } from '../../client/index.js'
import { answered } from './refusal.js'

/** Kept for this tab alone, and gone with it. */
const KEPT = 'loregraph.secret'

export interface Session {
  readonly client: LoregraphClient
  /** Forgets the secret; `why` is told to the reader. */
  signOut(why?: string): void
}

const SessionContext = createContext<Session | undefined>(undefined)
export const SessionProvider = SessionContext.Provider

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('This view is for readers who have signed in.')
  return session
}

export const clientFor = (secret: string): LoregraphClient =>
  createClient({ baseUrl: location.origin, secret })

/** Throws a `Refusal` unless the secret opens something. */
export async function checkSecret(secret: string): Promise<void> {
  await answered(clientFor(secret).GET('/v1/graphs', { params: { query: { page_size: 1 } } }))
}

export const keptSecret = (): string | undefined => sessionStorage.getItem(KEPT) ?? undefined

export function saveSecret(secret: string | undefined): void {
  if (secret === undefined) sessionStorage.removeItem(KEPT)
  else sessionStorage.setItem(KEPT, secret)
}
