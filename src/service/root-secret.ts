import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../domain/failure.js'
import { makeSecret } from '../domain/secret.js'
import { replaceFile } from '../log/file/disk/durable.js'
import { nodeFiles } from '../log/file/disk/files.js'
import type { PostgresStore } from '../log/postgres-store.js'
import { hashSecret } from '../store/hash-secret.js'

export const SECRET_FILE = 'secret.sha256'

/** Shows a secret to the person who starts the service. Resolves to false when it could not be shown. */
type ShowSecret = (secret: string) => Promise<boolean>

export interface RootSecret {
  /** The hash; undefined when there is none yet. */
  known(): Promise<Buffer | undefined>
  /**
   * Creates a secret and stores its hash if it could be shown: a secret that nobody has seen must not be
   * valid. Resolves to the stored hash, which may come from another process; undefined when there is none.
   */
  make(show: ShowSecret): Promise<Buffer | undefined>
}

type RandomBytes = (size: number) => Uint8Array

/** Stores the hash in the data folder. Requires an open store, which creates and locks the folder. */
export function secretInFolder(folder: string, randomBytes: RandomBytes): RootSecret {
  const file = join(folder, SECRET_FILE)
  return {
    async known() {
      const stored = await readFile(file, 'utf8').catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error
      })
      return stored === undefined ? undefined : parseHash(stored, file)
    },
    async make(show) {
      const secret = makeSecret(randomBytes)
      const hash = hashSecret(secret)
      try {
        await replaceFile(nodeFiles, file, async (to) => {
          await to.append(Buffer.from(`${hash.toString('hex')}\n`))
          if (!(await show(secret))) throw new NotShown()
        })
        return hash
      } catch (error) {
        if (error instanceof NotShown) return undefined
        throw error
      }
    },
  }
}

/** Stores the hash in the database, shared by all processes that use it. */
export function secretInDatabase(
  { rootSecret }: Pick<PostgresStore, 'rootSecret'>,
  randomBytes: RandomBytes,
): RootSecret {
  const toBuffer = (hash: string | undefined) => (hash === undefined ? undefined : Buffer.from(hash, 'hex'))
  return {
    known: async () => toBuffer(await rootSecret.read()),
    async make(show) {
      const secret = makeSecret(randomBytes)
      return toBuffer(await rootSecret.keep(hashSecret(secret).toString('hex'), () => show(secret)))
    },
  }
}

/** Thrown to cancel `replaceFile`. */
class NotShown extends Error {}

function parseHash(text: string, file: string): Buffer {
  if (!/^[0-9a-f]{64}\n$/.test(text))
    throw new Error(
      `${file} does not hold the hash of a secret. Delete it to have a new secret made at the next start.`,
    )
  return Buffer.from(text.trim(), 'hex')
}
