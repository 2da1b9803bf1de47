import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { command, type Ended } from '../support/command.js'
import { temporaryFolder } from '../support/folder.js'
import { commandOf } from '../support/program.js'

const root = temporaryFolder()
const data = join(root, 'data')
const CREATE = ['key', 'create', '--name', 'ci', '--scope', 'read']
let exported: string

const run = (...args: string[]) => command([...args, '--data', data])

/** Runs it in a shell, where `redirection` says what its output is; `code` is that of the program, whatever follows it. */
async function inShell(args: readonly string[], redirection: string): Promise<Omit<Ended, 'stdout'>> {
  const script = `{ "$@" 2>"$ERRORS"; echo $? >"$CODE"; } ${redirection}`
  const [errors, code] = [join(root, 'errors'), join(root, 'code')]
  const env = { PATH: process.env['PATH'], ERRORS: errors, CODE: code }
  const child = spawn('sh', ['-c', script, 'sh', ...commandOf(), ...args, '--data', data], {
    env,
    stdio: 'ignore',
  })
  await once(child, 'close')
  return { code: Number(readFileSync(code, 'utf8')), stderr: readFileSync(errors, 'utf8') }
}

beforeAll(async () => {
  expect((await run('demo')).code).toBe(0)
  exported = (await run('export', 'demo')).stdout
})

describe('E14: output that cannot be written', () => {
  test.each([
    [['export', 'demo']],
    [['status']],
    [['verify']],
    [['insight', 'demo', 'Which test runner do we use?']],
  ])('%j on a full device: a sentence and 74', async (args) => {
    expect(await inShell(args, '>/dev/full')).toEqual({
      code: 74,
      stderr: 'Not all of the output could be written to stdout (ENOSPC).\n',
    })
  })

  test.each([
    ['a full device', '>/dev/full', 'ENOSPC'],
    ['a pipe that nobody reads any more', '| true', 'EPIPE'],
    ['a closed stdout', '>&-', 'it is closed or /dev/null'],
  ])('key create on %s: 74, and no key is left', async (_, redirection, why) => {
    const { code, stderr } = await inShell(CREATE, redirection)
    expect(code).toBe(74)
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^The secret could not be shown .* was revoked again\.$/,
    )
    expect(stderr).toContain(`(${why})`)
    expect((await run('key', 'list')).stdout).toBe('')
  })

  test('a reader that has seen enough is no failure', async () => {
    expect(await inShell(['status', 'demo'], '| true')).toEqual({ code: 0, stderr: '' })
  })

  test('what is said on a full stderr is lost, and nothing of the result is', () => {
    const script = '"$@" 2>/dev/full'
    const args = ['-c', script, 'sh', ...commandOf(), ...CREATE, '--data', data]
    expect(execFileSync('sh', args, { encoding: 'utf8' })).toMatch(/^lore_[\w-]+\n$/)
  })
})

describe('E14: --out and --junit take the name of a plain file only', () => {
  test('a pipe gets the bytes, and stays a pipe', async () => {
    const path = join(root, 'pipe')
    execFileSync('mkfifo', [path])
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void reader.kill())
    const [chunks, { code }] = await Promise.all([
      reader.stdout.toArray(),
      run('export', 'demo', '--out', path),
    ])
    expect([code, Buffer.concat(chunks).toString()]).toEqual([0, exported])
    expect(lstatSync(path).isFIFO()).toBe(true)
  })

  test('/dev/stdout is what stdout is, and stays what it was', async () => {
    const link = join(root, 'stdout')
    symlinkSync('/proc/self/fd/1', link)
    const into = join(root, 'backup')
    expect((await inShell(['export', 'demo', '--out', link], `| cat >${into}`)).code).toBe(0)
    expect([readlinkSync(link), readFileSync(into, 'utf8')]).toEqual(['/proc/self/fd/1', exported])
  })

  test('a reader that leaves early: 74, for the backup is not whole', async () => {
    const link = join(root, 'left')
    symlinkSync('/proc/self/fd/1', link)
    const { code, stderr } = await inShell(['export', 'demo', '--out', link], '| true')
    expect([code, stderr]).toEqual([74, `Not all could be written to ${link} (EPIPE).\n`])
  })

  test('a device that is full: 74, and it stays a device', async () => {
    const link = join(root, 'full')
    symlinkSync('/dev/full', link)
    const { code, stderr } = await run('export', 'demo', '--out', link)
    expect([code, stderr]).toEqual([74, `Not all could be written to ${link} (ENOSPC).\n`])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    const cases = join(root, 'cases.yaml')
    expect((await run('eval', '--write', 'demo', cases)).code).toBe(0)
    expect((await run('eval', cases, '--junit', link)).code).toBe(74)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  test.each([
    ['to a file', true],
    ['to nothing yet', false],
  ])('a link %s stays a link, and what it leads to is written', async (_, isThere) => {
    const [link, target] = [join(root, `link-${isThere}`), join(root, `target-${isThere}`)]
    symlinkSync(target, link)
    if (isThere) writeFileSync(target, 'before')
    expect((await run('export', 'demo', '--out', link)).code).toBe(0)
    expect([readlinkSync(link), readFileSync(target, 'utf8')]).toEqual([target, exported])
  })
})
