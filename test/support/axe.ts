import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly target: readonly string[] }[]
  }[]
}

/** What axe finds serious or critical. It puts a script into the page: the page's policy must be bypassed. */
export async function seriousIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE })
  const { violations } = await page.evaluate<AxeResult>(`axe.run({ resultTypes: ['violations'] })`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** By how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
