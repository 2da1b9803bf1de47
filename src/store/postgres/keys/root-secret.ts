import type { Database } from '../connection/database.js'

const FIND = { name: 'find-secret', text: `SELECT value FROM settings WHERE name = 'root_secret'` }
const KEEP = {
  name: 'keep-secret',
  text: `INSERT INTO settings (name, value) VALUES ('root_secret', $1) ON CONFLICT DO NOTHING RETURNING value`,
}

const CHANGED = { verb: 'changed' } as const

/**
 * The hash of the root secret, the same for all processes on this database. `make` is asked for one if there is none;
 * when several processes start at once, one of them makes it and the others find it.
 */
export async function rootSecret(
  database: Database,
  make: () => string,
): Promise<{ hash: string; isNew: boolean }> {
  for (;;) {
    const known = await database.ask((session) => session.row<{ value: string }>(FIND))
    if (known !== undefined) return { hash: known.value, isNew: false }
    const hash = make()
    const kept = await database.write((session) => session.rows(KEEP, [hash]), CHANGED)
    if (kept.length > 0) return { hash, isNew: true }
  }
}
