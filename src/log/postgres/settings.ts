import { type Database, Rollback } from './database.js'

const FIND = `SELECT value FROM settings WHERE name = 'root_secret'`
const KEEP = `INSERT INTO settings (name, value) VALUES ('root_secret', $1) ON CONFLICT DO NOTHING RETURNING value`
/** The transaction waits while the secret is shown, which may take a while. */
const SHOWING = { verb: 'changed', idleTimeout: 30_000 } as const

/** The hash of the root secret, the same for all processes on a database. */
export interface SharedSecret {
  /** The stored hash; undefined if there is none yet. */
  read(): Promise<string | undefined>
  /**
   * Stores a hash if there is none yet and `isShown` confirms that its secret was shown. Resolves to the stored hash, if any.
   * If several processes start at once, one shows its secret; the others wait, and find its hash.
   */
  keep(hash: string, isShown: () => Promise<boolean>): Promise<string | undefined>
}

export function sharedSecret(database: Database): SharedSecret {
  const read = async () => (await database.rows<{ value: string }>(FIND))[0]?.value
  return {
    read,
    async keep(hash, isShown) {
      try {
        await database.transaction(async (transaction) => {
          const rows = await transaction.rows(KEEP, [hash])
          if (rows.length > 0 && !(await isShown())) throw new Rollback()
        }, SHOWING)
      } catch (error) {
        if (!(error instanceof Rollback)) throw error
      }
      return read()
    },
  }
}
