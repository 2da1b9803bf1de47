import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainError } from '../../../src/cli/output/explain-error.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** The sentence for what an attempt ends in. */
async function sentence(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'nothing went wrong',
    (error: unknown) => explainError(error),
  )
}

test('a port that is taken', async () => {
  const server = await listen(0, '127.0.0.1')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  expect(await sentence(listen(port, '127.0.0.1'))).toBe(
    `Another program is listening on 127.0.0.1:${port}. Stop it, or choose another port with --port. (EADDRINUSE)`,
  )
  server.close()
})

test('an address of another machine', async () => {
  expect(await sentence(listen(0, '192.0.2.1'))).toBe(
    '192.0.2.1 is not an address of this machine. Choose another with --host. (EADDRNOTAVAIL)',
  )
})

test('a file in the place of the data folder', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(await sentence(writeFile(join(file, 'x'), ''))).toBe(
    `The data folder cannot be used: there is a file where a folder is needed, at ${file}/x. Choose another with --data. (ENOTDIR)`,
  )
})

test('what is no error of the system says it in its own words', () => {
  expect(explainError(new Error('The settings cannot be used.'))).toBe('The settings cannot be used.')
  expect(explainError('stop')).toBe('stop')
})
