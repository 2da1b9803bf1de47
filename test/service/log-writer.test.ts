import { expect, test } from 'vitest'
import { LogWriter } from '../../src/service/log-writer.js'

type Done = (error?: Error | null) => void

function sink() {
  const written: string[] = []
  let done: Done | undefined
  return {
    written,
    write(text: string, ended: Done) {
      written.push(text)
      done = ended
    },
    writeNow(text: string) {
      if (text.includes('refused')) throw new Error('EAGAIN')
      written.push(text)
    },
    end(error?: Error) {
      done?.(error)
    },
  }
}

const LINE = `${'x'.repeat(999)}\n`

test('lines are gathered, and written in order, one write at a time', async () => {
  const to = sink()
  const log = new LogWriter(to)
  log.write('one\n')
  log.write('two\n')
  expect(to.written).toEqual([])
  await expect.poll(() => to.written).toEqual(['one\ntwo\n'])
  for (let i = 0; i < 10; i++) log.write(LINE)
  expect(to.written).toHaveLength(1)
  to.end()
  expect(to.written[1]).toBe(LINE.repeat(10))
})

test('E12: what a reader that does not read leaves waiting is bounded, and the rest is counted', () => {
  const to = sink()
  const log = new LogWriter(to)
  for (let i = 0; i < 5_000; i++) log.write(LINE)
  expect(to.written.join('').length).toBeLessThan(10_000)
  expect(log.dropped).toBeGreaterThan(3_500)
  const dropped = log.dropped
  to.end()
  to.end()
  expect(to.written.join('').length).toBe((5_000 - dropped) * LINE.length)
})

test('E12: lines of a failed write are counted, and those that follow are written', () => {
  const to = sink()
  const log = new LogWriter(to)
  for (let i = 0; i < 5; i++) log.write(LINE)
  log.write('later\n')
  to.end(new Error('ENOSPC'))
  expect([log.dropped, to.written.at(-1)]).toEqual([5, 'later\n'])
})

test('E12: at the end one attempt is made, which may fail', () => {
  const to = sink()
  const log = new LogWriter(to)
  log.write('last\n')
  log.flushSync()
  log.write('refused\n')
  log.flushSync()
  expect([to.written, log.dropped]).toEqual([['last\n'], 1])
})
