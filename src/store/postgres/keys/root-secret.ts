import { type Database, Undo } from '../connection/database.js'

const FIND = { name: 'find-secret', text: `SELECT value FROM settings WHERE name = 'root_secret'` }
const KEEP = {
  name: 'keep-secret',
  text: `INSERT INTO settings (name, value) VALUES ('root_secret', $1) ON CONFLICT DO NOTHING RETURNING value`,
}

const CHANGED = { verb: 'changed' } as const

/** The hash of the root secret, the same for all processes on a database. */
export interface SharedSecret {
  /** Undefined when there is none yet. */
  known(): Promise<string | undefined>
  /**
   * Keeps a hash if there is none and `isShown` says so of its secret, and resolves to what is kept; undefined when nothing
   * is. Of several processes that start at once one shows its secret: the others wait for it, and find its hash.
   */
  keep(hash: string, isShown: () => Promise<boolean>): Promise<string | undefined>
}

export function sharedSecret(database: Database): SharedSecret {
  const known = async () => (await database.ask((session) => session.row<{ value: string }>(FIND)))?.value
  const insert = (hash: string, isShown: () => Promise<boolean>) =>
    database.write(async (session) => {
      const rows = await session.rows(KEEP, [hash])
      if (rows.length > 0 && !(await isShown())) throw new Undo()
    }, CHANGED)
  return {
    known,
    async keep(hash, isShown) {
      try {
        await insert(hash, isShown)
      } catch (error) {
        if (!(error instanceof Undo)) throw error
      }
      return known()
    },
  }
}
