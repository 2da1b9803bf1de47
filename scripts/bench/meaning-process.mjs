/** Measures the built models in a process that does nothing else; prints JSON. Times are of the processor. */
import { loadModels } from '../../dist/service/meaning/load-models.js'
import { checkModel } from '../../dist/service/meaning/model-files.js'
import { ModelRunner } from '../../dist/service/meaning/model-runner.js'

const GROUPS = 12
const PER_GROUP = 15
const MB = 1024 ** 2

const check = await timed(checkModel)
const model = await checkModel()

// The thread first: what it holds is not yet mixed with the models of this thread.
global.gc()
const before = process.memoryUsage().rss
const runner = new ModelRunner(model)
await runner.encode(['warm '.repeat(38)])
await Promise.all(runner.read('Which memory is it?', ['word '.repeat(200)], 'key'))
const texts = Array.from({ length: 200 }, (_, i) => `${'memory of some words '.repeat(9)} ${i % 10} again`)
let perSecond = 0
for (let group = 0; group < 4; group++)
  perSecond = Math.max(perSecond, (texts.length * 1000) / (await timed(() => runner.encode(texts))))
global.gc()
const resident = (process.memoryUsage().rss - before) / MB
await runner.close()

let { encoder, reader } = await loadModels(model)
let load = Number.POSITIVE_INFINITY
for (let i = 0; i < 5; i++)
  load = Math.min(
    load,
    await timed(async () => {
      ;({ encoder, reader } = await loadModels(model))
    }),
  )
const first = await timed(() => encoder.encode('Which test runner do we use, and why was it chosen?'))
for (let i = 0; i < 60; i++) encoder.encodeIds(ids(40))
const pair = (tokens) => reader.logitOfPair({ ids: ids(tokens), asked: 9 })
for (let i = 0; i < 30; i++) pair(40)

console.log(
  JSON.stringify({
    ...{ check, load, first, perSecond, resident },
    tokens12: await best(() => encoder.encodeIds(ids(12))),
    tokens28: await best(() => encoder.encodeIds(ids(28))),
    tokens96: await best(() => encoder.encodeIds(ids(96))),
    threePairs: await best(() => [30, 34, 36].map(pair)),
    pair128: await best(() => pair(128)),
    oneWord: await best(() => encoder.encode('x'.repeat(65_536)), 2),
    emoji: await best(() => encoder.encode('🙂 '.repeat(13_107)), 2),
  }),
)

function ids(count) {
  return Array.from({ length: count }, (_, i) => 2000 + i * 37)
}

/** The median of each group, and the best of these. */
async function best(work, perGroup = PER_GROUP) {
  let least = Number.POSITIVE_INFINITY
  for (let group = 0; group < GROUPS; group++) {
    const times = []
    for (let i = 0; i < perGroup; i++) times.push(await timed(work))
    least = Math.min(least, times.sort((a, b) => a - b)[Math.floor(perGroup / 2)])
  }
  return least
}

/** Milliseconds of processor time: what others do on the machine does not count. */
async function timed(work) {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
