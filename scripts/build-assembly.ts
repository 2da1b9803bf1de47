/**
 * Compiles the programs of `assembly/` to WebAssembly beside their sources, unless `made-of.json` says that they were made of
 * these. With `--check` it writes nothing and fails when one is stale; `--anew` compiles all and goes by every byte.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import assemblyscript from 'assemblyscript/package.json' with { type: 'json' }

/** The programs with their memory in pages of 64 KiB: no more is ever asked for. */
const PROGRAMS = { encoder: 480, scan: 4 } as const
type Name = keyof typeof PROGRAMS

const ROOT = new URL('../', import.meta.url)
const FOLDER = new URL('assembly/', ROOT)
/** For each program a digest of itself, its sources, its settings and the compiler. */
const MADE_OF = new URL('made-of.json', FOLDER)

function settings(name: Name): string[] {
  return [
    ...[`assembly/${name}.ts`, '-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
    ...['--disableWarning', '--initialMemory', `${PROGRAMS[name]}`, '--maximumMemory', `${PROGRAMS[name]}`],
  ]
}

async function digestOf(name: Name, program: Buffer): Promise<string> {
  const hash = createHash('sha256').update(program)
  hash.update(`${assemblyscript.version} ${settings(name).join(' ')}`)
  const sources = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  for (const file of sources) hash.update(`\n${file}\n`).update(await readFile(new URL(file, FOLDER)))
  return hash.digest('hex')
}

async function compiled(name: Name): Promise<Buffer> {
  // tsx takes ten seconds to load the compiler.
  const { main: compile } = await import('assemblyscript/asc')
  let output: Uint8Array | undefined
  const { error, stderr } = await compile(
    [...settings(name), '--baseDir', fileURLToPath(ROOT), '--outFile', 'out.wasm'],
    {
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') output = contents
      },
    },
  )
  if (error !== null || output === undefined) throw new Error(`assembly/${name}.ts: ${error}\n${stderr}`)
  return Buffer.from(output)
}

async function isFresh(name: Name, noted: string | undefined, anew: boolean): Promise<boolean> {
  const program = await readFile(fileOf(name)).catch(() => Buffer.alloc(0))
  if (noted !== (await digestOf(name, program))) return false
  return !anew || program.equals(await compiled(name))
}

function fileOf(name: Name): URL {
  return new URL(`${name}.wasm`, FOLDER)
}

async function main(args: readonly string[]): Promise<void> {
  const noted: Partial<Record<Name, string>> = JSON.parse(await readFile(MADE_OF, 'utf8'))
  const stale: Name[] = []
  for (const name of Object.keys(PROGRAMS) as Name[])
    if (!(await isFresh(name, noted[name], args.includes('--anew')))) stale.push(name)
  if (stale.length === 0) return console.log('up to date')
  if (args.includes('--check')) {
    console.error(`${stale.join(' and ')} no longer follow from their sources: run npm run build:assembly.`)
    process.exitCode = 1
    return
  }
  for (const name of stale) {
    const program = await compiled(name)
    await writeFile(fileOf(name), program)
    noted[name] = await digestOf(name, program)
  }
  await writeFile(MADE_OF, `${JSON.stringify(noted, undefined, 2)}\n`)
  console.log(`wrote ${stale.join(', ')}`)
}

await main(process.argv.slice(2))
