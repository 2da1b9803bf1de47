import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/**
 * An empty folder. Made in a test or in a `beforeEach`, it is gone after that test; made beside tests, in a file or in
 * a `describe`, it is gone after the last of them.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loregraph-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    onTestFinished(remove)
  } catch {
    // No test is running yet.
    afterAll(remove)
  }
  return folder
}
