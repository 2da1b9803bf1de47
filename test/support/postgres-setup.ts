import type { TestProject } from 'vitest/node'
import { PostgresServer } from './postgres-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests may make databases; empty when this machine has no PostgreSQL. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run: the one that `TEST_DATABASE_URL` names, or one of our own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined) {
    project.provide('postgresUrl', given)
    return async () => undefined
  }
  try {
    const server = await PostgresServer.create()
    project.provide('postgresUrl', server.url())
    return () => server.remove()
  } catch (error) {
    const message = `NOT TESTED: everything about PostgreSQL, because none could be started here (${String(error)}). Set TEST_DATABASE_URL to one that tests may make databases in.`
    if (process.env['CI'] !== undefined) throw new Error(message)
    console.error(`\n${'!'.repeat(100)}\n${message}\n${'!'.repeat(100)}\n`)
    project.provide('postgresUrl', '')
    return async () => undefined
  }
}
