/**
 * How much of what a labelled question rests on is among the first five memories by vector alone: proof that the
 * encoder is the one of model/README.md, which states .71 for paraphrases and .85 for the rest on these graphs.
 */

import { CodeScan } from '../../src/domain/meaning/code-scan.js'
import type { Encoder } from '../../src/domain/meaning/encoder.js'
import { memoryText } from '../../src/domain/meaning/memory-text.js'
import { CODE_WORDS, cosine, toBytes, toCode, writeCode } from '../../src/domain/meaning/nearness.js'
import { loadModels } from '../../src/service/meaning/load-models.js'
import { checkModel } from '../../src/service/meaning/model-files.js'
import { loadScanProgram } from '../../src/service/meaning/program.js'
import { type LabelledGraph, readGraphs } from './graphs.js'

const FIRST = 5
const { encoder } = await loadModels(await checkModel())
const scan = new CodeScan(await loadScanProgram())
const graphs = await readGraphs()
const all = graphs.map((graph) => sharesOf(graph, encoder, scan))
for (const [i, shares] of all.entries()) print(graphs[i]?.graph_id ?? '', shares)
print('all', { paraphrase: all.flatMap((one) => one.paraphrase), rest: all.flatMap((one) => one.rest) })

interface Shares {
  readonly paraphrase: number[]
  readonly rest: number[]
}

/** As the service finds them: the nearest codes, compared by their bytes. */
function sharesOf({ events, tasks }: LabelledGraph, reader: Encoder, nearby: CodeScan): Shares {
  const vectors = events.map((event) => toBytes(reader.encode(memoryText(event.context_id, event.payload))))
  const codes = new Uint32Array(vectors.length * CODE_WORDS)
  for (const [row, vector] of vectors.entries()) writeCode(vector, codes, row)
  const shares: Shares = { paraphrase: [], rest: [] }
  for (const { kind, task, evidence } of tasks) {
    if (evidence.length === 0) continue
    const asked = toBytes(reader.encode(task))
    const first = nearby
      .nearest(codes, vectors.length, toCode(asked), 200)
      .map((row) => ({ key: events[row]?.key, cosine: cosine(asked, vectors[row] ?? asked) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, FIRST)
      .map(({ key }) => key)
    const share = evidence.filter((key) => first.includes(key)).length / evidence.length
    shares[kind === 'paraphrase' ? 'paraphrase' : 'rest'].push(share)
  }
  return shares
}

function print(name: string, { paraphrase, rest }: Shares): void {
  const mean = (shares: readonly number[]) =>
    (shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(3)
  console.log(
    `${name.padEnd(12)} paraphrase ${mean(paraphrase)} (${paraphrase.length}), rest ${mean(rest)} (${rest.length})`,
  )
}
