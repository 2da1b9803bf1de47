import { fstatSync, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { errorCode } from '../../domain/failure.js'

/** Writes what is shown only once, such as a secret; rejects unless it was written where it can be read. */
export async function show(stdout: Writable, text: string): Promise<void> {
  if (isNull(stdout)) throw new Error('it is closed or /dev/null')
  await new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => {
      if (error) reject(new Error(errorCode(error) ?? error.message, { cause: error }))
      else resolve()
    })
  })
}

/** Node.js opens `/dev/null` in place of a closed stdout. */
function isNull(stdout: Writable): boolean {
  if (!('fd' in stdout) || typeof stdout.fd !== 'number') return false
  const nowhere = statSync('/dev/null', { throwIfNoEntry: false })
  return nowhere !== undefined && fstatSync(stdout.fd).rdev === nowhere.rdev
}
