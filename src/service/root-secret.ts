import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../domain/failure.js'
import { makeSecret } from '../domain/secret.js'
import { hashSecret } from '../store/hash-secret.js'

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
  await writeSafely(file, `${hash.toString('hex')}\n`)
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

/** Whole or not at all, and on disk before it resolves: the secret is about to be shown for the only time. */
async function writeSafely(file: string, text: string): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = `${file}.tmp`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}
