import { readFile } from 'node:fs/promises'
import { Stop } from '../output/exits.js'

/** What `--secret-file` names. */
export async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Stop('noInput', `--secret-file: ${file} cannot be read (${code}).`, { cause: error })
  }
}
