/**
 * Compiles the programs of `assembly/` to WebAssembly beside their sources. With `--check` it writes nothing and fails
 * when one of them is stale.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { main as compile } from 'assemblyscript/asc'

/** The programs with their memory in pages of 64 KiB: no more is ever asked for. */
const PROGRAMS = { encoder: 294, scan: 4 } as const

const ROOT = new URL('../', import.meta.url)

export async function compiled(name: keyof typeof PROGRAMS): Promise<Uint8Array> {
  let output: Uint8Array | undefined
  const { error, stderr } = await compile(
    [
      ...[`assembly/${name}.ts`, '--baseDir', fileURLToPath(ROOT), '--outFile', 'out.wasm'],
      ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--disableWarning'],
      ...['--initialMemory', `${PROGRAMS[name]}`, '--maximumMemory', `${PROGRAMS[name]}`],
    ],
    {
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') output = contents
      },
    },
  )
  if (error !== null || output === undefined) throw new Error(`assembly/${name}.ts: ${error}\n${stderr}`)
  return output
}

async function main(args: readonly string[]): Promise<void> {
  const stale: string[] = []
  for (const name of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    const file = new URL(`assembly/${name}.wasm`, ROOT)
    const bytes = await compiled(name)
    const before = await readFile(file).catch(() => Buffer.alloc(0))
    if (before.equals(bytes)) continue
    stale.push(`assembly/${name}.wasm`)
    if (!args.includes('--check')) await writeFile(file, bytes)
  }
  if (args.includes('--check') && stale.length > 0) {
    console.error(`${stale.join(' and ')} no longer follow from their sources: run npm run build:assembly.`)
    process.exitCode = 1
  } else console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'up to date')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
