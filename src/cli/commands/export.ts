import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Stop } from '../output/exits.js'
import { createProgress, type Progress } from '../output/progress.js'
import { writeWhole } from '../output/whole-file.js'
import type { Job } from './job.js'

/** `loregraph export`: to stdout, or to a file that is there whole or not at all. */
export async function exportGraph({ api, operands, values, terminal, note, pid }: Job): Promise<void> {
  const [graph = ''] = operands
  const chunks = await api.exportGraph(graph, values['as-of'])
  const progress = createProgress(terminal, { label: `Exporting ${graph}`, lines: values.progress ?? false })
  const counted = count(chunks, progress)
  try {
    if (values.out === undefined) await pipeline(Readable.from(counted), terminal.stdout, { end: false })
    else await writeWhole(values.out, counted, pid)
  } finally {
    progress.end()
  }
  if (values.out !== undefined) note(`The graph ${graph} is in ${values.out}.`)
}

const LINE_FEED = 0x0a
const LONGEST_LAST_LINE = 256

/** Passes the bytes on, and knows an export that ended before its last line. */
async function* count(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  let tail = Buffer.alloc(0)
  // The first line and the last are no events.
  let heading = 1
  for await (const chunk of chunks) {
    progress.add({ bytes: chunk.length, events: linesIn(chunk) - heading })
    heading = 0
    tail = Buffer.concat([tail, chunk.subarray(-LONGEST_LAST_LINE)]).subarray(-LONGEST_LAST_LINE)
    yield chunk
  }
  if (!/\n\{"count":\d+,"sha256":"[0-9a-f]{64}"\}\n$/.test(tail.toString('latin1')))
    throw new Stop('unavailable', 'The export ended before its last line, so it is not whole. Try again.')
  progress.add({ events: -1 })
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}
