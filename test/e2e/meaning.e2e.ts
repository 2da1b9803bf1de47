import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../support/runs.js'

const run = promisify(execFile)
const ROOT = new URL('../../', import.meta.url)
/** A thousand with `RUNS=full`. */
const TEXTS = runsOf({ quick: 100, full: 1000 })
/** Other versions of Node to compare with, as paths parted by commas; none unless they are named. */
const OTHERS = (process.env['OTHER_NODES'] ?? '').split(',').filter((path) => path !== '')

/** The SHA-256 of the vectors of many texts and of their logits, as the built service makes them, here or in its thread. */
const DIGEST = `
import { createHash } from 'node:crypto'
const { checkModel } = await import(new URL('dist/service/meaning/model-files.js', process.argv[1]))
const { loadModels } = await import(new URL('dist/service/meaning/load-models.js', process.argv[1]))
const { ModelRunner } = await import(new URL('dist/service/meaning/model-runner.js', process.argv[1]))
const words = 'the bank pays späte Rechnung 決済 🙂 kiln port 8080 café nightly failed test_runner = ~ x'.split(' ')
const texts = Array.from({ length: ${TEXTS} }, (_, i) =>
  Array.from({ length: 1 + (i * 7) % 23 }, (_, j) => words[(i * 31 + j * j * 17) % words.length] + (j % 5 === 4 ? i : '')).join(' '))
const model = await checkModel()
const hash = createHash('sha256')
const questions = texts.slice(0, 20)
const answers = texts.slice(20, 25)
const add = (logits) => hash.update(Float64Array.from(logits))
if (process.argv[2] === 'thread') {
  const runner = new ModelRunner(model)
  for (const vector of await runner.encode(texts)) hash.update(vector)
  for (const question of questions) add(await Promise.all(runner.read(question, answers, '')))
  await runner.close()
} else {
  const { encoder, reader } = await loadModels(model)
  for (const text of texts) hash.update(encoder.encode(text))
  for (const question of questions) add(answers.map((text) => reader.logitOf(question, text)))
}
console.log(hash.digest('hex'))`

async function digest(node: string, flags: readonly string[], where: 'here' | 'thread'): Promise<string> {
  const args = [...flags, '--input-type=module', '-e', DIGEST, ROOT.href, where]
  return (await run(node, args, { cwd: fileURLToPath(ROOT) })).stdout.trim()
}

describe(`M7: the vectors of ${TEXTS} texts, and the logits of some, are the same bytes`, {
  timeout: 300_000,
}, () => {
  const usual = digest(process.execPath, [], 'here')

  test.each([
    ['after a restart', [], 'here'],
    ['in the thread', [], 'thread'],
    ['by the baseline compiler of WebAssembly alone', ['--liftoff-only'], 'here'],
    ['by the optimising compiler of WebAssembly alone', ['--no-liftoff'], 'here'],
  ] as const)('%s', async (_, flags, where) => {
    expect(await usual).toMatch(/^[0-9a-f]{64}$/)
    expect(await digest(process.execPath, flags, where)).toBe(await usual)
  })

  test.each(OTHERS)('under %s', async (node) => {
    expect(await digest(node, [], 'here')).toBe(await usual)
  })
})
