import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../domain/failure.js'
import { makeSecret } from '../domain/secret.js'
import { hashSecret } from '../store/hash-secret.js'
import { replaceFile } from '../store/json/disk/durable.js'
import { nodeFiles } from '../store/json/disk/files.js'

export const SECRET_FILE = 'secret.sha256'

export interface KnownSecret {
  readonly hash: Buffer
  /** The secret itself, only when it was made just now: it cannot be shown again. */
  readonly made?: string
}

/** The secret of the data folder by its hash; made, and its hash stored, when there is none yet. */
export async function obtainSecret(
  folder: string,
  randomBytes: (size: number) => Uint8Array,
): Promise<KnownSecret> {
  const file = join(folder, SECRET_FILE)
  const stored = await readIfThere(file)
  if (stored !== undefined) return { hash: parseHash(stored, file) }
  const made = makeSecret(randomBytes)
  const hash = hashSecret(made)
  // On disk before the secret is shown for the only time. The store is open, so that the folder is there and ours.
  const bytes = Buffer.from(`${hash.toString('hex')}\n`)
  await replaceFile(nodeFiles, file, (to) => to.append(bytes))
  return { hash, made }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseHash(text: string, file: string): Buffer {
  if (!/^[0-9a-f]{64}\n$/.test(text))
    throw new Error(
      `${file} does not hold the hash of a secret. Delete it to have a new secret made at the next start.`,
    )
  return Buffer.from(text.trim(), 'hex')
}
