/**
 * `npm run golden [-- --update] [-- --postgres] [-- --answers FOLDER] [name …]`: asks what test/golden asks, of a service on
 * files or on PostgreSQL, and compares the hashes of the answers with those that were saved, or saves them. `--answers` adds
 * the answers themselves, for a `diff -r` of two builds.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { hashesOf, NAMES, savedHashes, saveHashes } from '../test/golden/golden.js'
import { makeDatabase } from '../test/golden/service.js'
import { PostgresServer } from '../test/support/postgres-server.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    answers: { type: 'string' },
  },
})
const names = positionals.length > 0 ? positionals : NAMES
const server = values.postgres ? await PostgresServer.create() : undefined
const place = server && (() => makeDatabase(server.url()))
const started = performance.now()
const all: string[] = []
let asked = 0
let differ = 0
for (const name of names) {
  const { lines, requests } = await hashesOf(
    name,
    (operation, text) => keep(`${name}/${operation}`, text),
    place,
  )
  all.push(...lines)
  asked += requests
  if (values.update) continue
  const saved = await savedHashes(name)
  const unlike = [...new Set([...lines, ...saved])].filter(
    (line) => !lines.includes(line) || !saved.includes(line),
  )
  const paths = new Set(unlike.map((line) => line.split('  ')[1]))
  for (const path of paths) console.log(`differs: ${path}`)
  differ += paths.size
}
await server?.remove()
if (values.update) {
  const others = NAMES.filter((name) => !names.includes(name))
  await saveHashes([...all, ...(await Promise.all(others.map(savedHashes))).flat()])
}
const seconds = Math.round((performance.now() - started) / 1000)
console.log(
  `${names.length} subjects, ${asked} requests, ${seconds} s: ${differ} of ${all.length} hashes differ`,
)
process.exitCode = differ === 0 ? 0 : 1

function keep(path: string, text: string): void {
  if (values.answers === undefined) return
  const file = join(values.answers, path)
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, text)
}
