import { afterEach, describe, expect, test } from 'vitest'
import { checkModel, ModelError } from '../../../src/service/meaning/model-files.js'
import { MAX_WAITING_TASKS, ModelRunner, RunnerBusyError } from '../../../src/service/meaning/model-runner.js'
import { apart, readGolden } from '../../support/golden.js'

const golden = readGolden()
const model = await checkModel()
const runners: ModelRunner[] = []

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.close()))
})

describe('the models in their thread', () => {
  test('gives the reference vectors, in the order of the texts', async () => {
    // The one reference text of 96 tokens is longer than that, and is read further.
    const short = golden.filter(({ ids }) => ids.length < 96)
    const vectors = await newRunner().encode(short.map(({ text }) => text))
    expect(vectors).toHaveLength(short.length)
    for (const [i, { i16 }] of short.entries()) expect(apart(vectors[i] ?? [], i16)).toBeLessThan(0.002)
  })

  test('what a caller waits for is read before the background', async () => {
    const runner = newRunner()
    const order: string[] = []
    const background = runner
      .encode(['first', ...Array(20).fill('later')])
      .then(() => order.push('background'))
    const urgent = runner.encode(['question'], { urgent: true }).then(() => order.push('urgent'))
    expect(runner.waiting).toBe(22)
    await Promise.all([background, urgent])
    expect(order).toEqual(['urgent', 'background'])
    expect(runner.waiting).toBe(0)
  })

  test('the texts of requests come first, then questions, each key in its turn, then the background', async () => {
    const runner = newRunner()
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const readings = ['a', 'a', 'a', 'b'].map((by, i) =>
      runner.read(`${i}?`, ['one', 'two'], by).map((logit, j) => logit.then(note(`${by}${i}${j}`))),
    )
    const background = runner.encode(['later']).then(note('background'))
    // The first pair is being read already.
    const urgent = runner.encode(['question'], { urgent: true }).then(note('urgent'))
    await Promise.all([...readings.flat(), background, urgent])
    expect(order).toEqual([
      'a00',
      'urgent',
      'a01',
      ...['a10', 'a11', 'b30', 'b31', 'a20', 'a21'],
      'background',
    ])
  })

  test('what a question waits for in the background takes turns with what is read', async () => {
    const runner = newRunner()
    const order: string[] = []
    let isAwaited = false
    const background = ['x', 'y'].map((text) =>
      runner.encode([text], { isAwaited: () => isAwaited }).then(() => order.push(text)),
    )
    const readings = runner
      .read('question', ['1', '2', '3'], 'key')
      .map((logit, i) => logit.then(() => order.push(`${i + 1}`)))
    isAwaited = true
    await Promise.all([...background, ...readings])
    expect(order).toEqual(['x', '1', 'y', '2', '3'])
  })

  test('no more texts wait than it has room for, and the others are still read', async () => {
    const runner = newRunner()
    const few = runner.encode(['a', 'b'])
    await expect(runner.encode(Array(MAX_WAITING_TASKS - 1).fill('c'))).rejects.toThrow(RunnerBusyError)
    expect(await few).toHaveLength(2)
  })

  test('no texts, no thread', async () => {
    expect(await newRunner().encode([])).toEqual([])
  })

  test('closing rejects what waits and what comes', async () => {
    const runner = newRunner()
    const waiting = expect(runner.encode(['a', 'b'])).rejects.toThrow('closed')
    const reading = expect(Promise.all(runner.read('a', ['b', 'c'], 'key'))).rejects.toThrow('closed')
    await runner.close()
    await Promise.all([waiting, reading])
    await expect(runner.encode(['c'])).rejects.toThrow('closed')
    await expect(Promise.all(runner.read('d', ['e'], 'key'))).rejects.toThrow('closed')
    await runner.close()
  })

  test.each(['encoder', 'reader'])('damaged weights of the %s are reported to every caller', async (name) => {
    const runner = newRunner({ ...model, sha256: { ...model.sha256, [name]: '0'.repeat(64) } })
    await expect(runner.encode(['a'])).rejects.toThrow(ModelError)
    await expect(runner.encode(['b'])).rejects.toThrow(`model/${name}.bin is damaged`)
    await expect(Promise.all(runner.read('c', ['d'], 'key'))).rejects.toThrow('damaged')
    expect(runner.waiting).toBe(0)
  })
})

function newRunner(of = model): ModelRunner {
  const runner = new ModelRunner(of)
  runners.push(runner)
  return runner
}
