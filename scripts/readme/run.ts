import { execFile } from 'node:child_process'
import { type Block, blocksOf, replaceBlocks } from './blocks.js'
import { startService } from './service.js'

const ADDRESS = 'http://127.0.0.1:7400'

/** Executes the shell blocks in order against a service of their own; answers with the README as it should be. */
export async function runReadme(markdown: string): Promise<string> {
  const service = await startService()
  try {
    const outputs = new Map<Block, string>()
    const blocks = blocksOf(markdown)
    for (const [i, block] of blocks.entries()) {
      if (block.language !== 'sh' || !block.text.startsWith('curl ')) continue
      const printed = await shell(block.text.replaceAll(ADDRESS, service.url), service.secret)
      const shown = blocks[i + 1]
      if (shown?.language !== 'json') throw new Error(`No output is shown for: ${block.text}`)
      outputs.set(shown, pretty(printed))
    }
    return replaceBlocks(markdown, outputs)
  } finally {
    await service.stop()
  }
}

/** A text with everything that differs from run to run replaced: ids and times of recording. */
export function settled(text: string): string {
  return text
    .replace(/mem_[0-9A-Z]{26}/g, 'mem_…')
    .replace(/("(?:updated|created|recorded)_at"|"(?:first|last)_seen"): "[^"]*"/g, '$1: "…"')
}

function shell(command: string, secret: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euc', command], { env: { ...process.env, SECRET: secret } }, (error, stdout) => {
      if (error === null) resolve(stdout)
      else reject(error)
    })
  })
}

/** JSON as a person would lay it out: small objects on one line. */
function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replace(/\{[^{}[\]]{1,140}\}/g, (small) =>
    small.length <= 160 ? small.replace(/\s*\n\s*/g, ' ') : small,
  )
}
