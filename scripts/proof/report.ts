import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from './paths.js'

/** Where runs leave what `npm run reliability` puts into RELIABILITY.md. */
export const REPORTS = join(CACHE, 'reports')

/** How a run of its own came out: one line that is the same whenever the same is true, so without times or seeds. */
export interface Summary {
  readonly passed: boolean
  readonly line: string
}

export function writeSummary(name: string, summary: Summary): void {
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(join(REPORTS, `${name}.json`), `${JSON.stringify(summary)}\n`)
}
