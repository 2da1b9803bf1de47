import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Processes that are killed are the built ones: they start quickly, and are what people run. */
export default function build(): void {
  run('npx', ['tsc', '-p', 'tsconfig.build.json'])
}

export function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' })
}
