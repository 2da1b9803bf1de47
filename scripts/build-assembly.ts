/**
 * Compiles the programs of `assembly/` to WebAssembly beside their sources, those that do not yet say that they were made
 * of these. With `--check` it writes nothing and fails when one is stale; `--anew` compiles all and goes by every byte.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import assemblyscript from 'assemblyscript/package.json' with { type: 'json' }

/** The programs with their memory in pages of 64 KiB: no more is ever asked for. */
const PROGRAMS = { encoder: 294, scan: 4 } as const
type Name = keyof typeof PROGRAMS

const ROOT = new URL('../', import.meta.url)
const FOLDER = new URL('assembly/', ROOT)
/** The last section of a program, in which it says what it was made of. */
const SECTION = 'made-of'

function settings(name: Name): string[] {
  return [
    ...[`assembly/${name}.ts`, '-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
    ...['--disableWarning', '--initialMemory', `${PROGRAMS[name]}`, '--maximumMemory', `${PROGRAMS[name]}`],
  ]
}

async function ingredients(name: Name): Promise<Buffer> {
  const hash = createHash('sha256').update(`${assemblyscript.version} ${settings(name).join(' ')}`)
  const sources = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  for (const file of sources) hash.update(`\n${file}\n`).update(await readFile(new URL(file, FOLDER)))
  return hash.digest()
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
  return Buffer.concat([output, customSection(await ingredients(name))])
}

/** A section of less than 128 bytes: its lengths take one byte each. */
function customSection(content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from([SECTION.length]), Buffer.from(SECTION), content])
  return Buffer.concat([Buffer.from([0, named.length]), named])
}

async function isFresh(name: Name, program: Buffer, anew: boolean): Promise<boolean> {
  if (anew) return program.equals(await compiled(name))
  const section = customSection(await ingredients(name))
  return WebAssembly.validate(program) && program.subarray(-section.length).equals(section)
}

async function main(args: readonly string[]): Promise<void> {
  const stale: string[] = []
  for (const name of Object.keys(PROGRAMS) as Name[]) {
    const file = new URL(`${name}.wasm`, FOLDER)
    const program = await readFile(file).catch(() => Buffer.alloc(0))
    if (await isFresh(name, program, args.includes('--anew'))) continue
    stale.push(`assembly/${name}.wasm`)
    if (!args.includes('--check')) await writeFile(file, await compiled(name))
  }
  if (args.includes('--check') && stale.length > 0) {
    console.error(`${stale.join(' and ')} no longer follow from their sources: run npm run build:assembly.`)
    process.exitCode = 1
  } else console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'up to date')
}

await main(process.argv.slice(2))
