import { type Database, Undo } from './database.js'

const FIND = `SELECT value FROM settings WHERE name = 'root_secret'`
const KEEP = `INSERT INTO settings (name, value) VALUES ('root_secret', $1) ON CONFLICT DO NOTHING RETURNING value`
/** Showing a secret may take a while. */
const SHOWING = { verb: 'changed', idleTimeout: 30_000 } as const

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
  const known = async () => (await database.rows<{ value: string }>(FIND))[0]?.value
  return {
    known,
    async keep(hash, isShown) {
      try {
        await database.transaction(async (transaction) => {
          const rows = await transaction.rows(KEEP, [hash])
          if (rows.length > 0 && !(await isShown())) throw new Undo()
        }, SHOWING)
      } catch (error) {
        if (!(error instanceof Undo)) throw error
      }
      return known()
    },
  }
}
