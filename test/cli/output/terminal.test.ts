import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createProgress } from '../../../src/cli/output/progress.js'
import { hang, harmless, paint, type Terminal, wrap } from '../../../src/cli/output/terminal.js'
import { didYouMean } from '../../../src/cli/parse/did-you-mean.js'

function terminal(watched: boolean): { terminal: Terminal; written: () => string } {
  let text = ''
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const stdin = new PassThrough()
  return {
    terminal: { stdin, stdout: stderr, stderr, columns: 80, coloured: false, watched },
    written: () => text,
  }
}

describe('progress', () => {
  async function work(watched: boolean, lines: boolean, totalBytes?: number): Promise<string> {
    const { terminal: it, written } = terminal(watched)
    const progress = createProgress(it, { label: 'Importing g', lines, ...(totalBytes && { totalBytes }) })
    for (let i = 0; i < 4; i++) {
      progress.add({ events: 500, bytes: 250_000 })
      await sleep(110)
    }
    progress.end()
    return written()
  }

  test('is a bar that moves and goes, where someone is watching', async () => {
    const shown = (await work(true, false, 1_000_000)).split('\r').slice(1)
    expect(shown[0]).toContain('[######------------------]  25 % 500 events, 0.3 MB')
    expect(shown.slice(0, 4).map((frame) => / (\d+) %/.exec(frame)?.[1])).toEqual(['25', '50', '75', '100'])
    expect(shown.at(-1)).toBe('\u001b[K')
  })

  test('moves also where nobody knows the end', async () => {
    const frames = (await work(true, false)).split('\r').slice(1, 5)
    expect(new Set(frames.map((frame) => /\[.*\]/.exec(frame)?.[0])).size).toBeGreaterThan(2)
    expect(frames[3]).toContain('2,000 events')
  })

  test('is lines where they are asked for, and nothing otherwise', async () => {
    const lines = (await work(false, true, 1_000_000)).trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(/^Importing g: {2}25 % 500 events/)
    expect(await work(false, false, 1_000_000)).toBe('')
  })
})

describe('text', () => {
  test('is wrapped at the width, long words whole, wide letters counted twice', () => {
    expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc'])
    expect(wrap('a-very-long-word b', 5)).toEqual(['a-very-long-word', 'b'])
    expect(wrap('日本 日本', 8)).toEqual(['日本', '日本'])
    expect(wrap('', 5)).toEqual([''])
    expect(hang('Do  ', 'one two three four five', 24)).toBe('Do  one two three four\n    five')
    expect(hang('Do  ', 'one two\nthree', 24)).toBe('Do  one two\n    three')
  })

  test('of others cannot steer the terminal', () => {
    expect(harmless('a\u001b[31mb\nc\u202ed')).toBe('a\ufffd[31mb c\ufffdd')
  })

  test('is coloured only where it may be', () => {
    const { terminal: plain } = terminal(false)
    expect(paint(plain, 'green', 'high')).toBe('high')
    expect(paint({ ...plain, coloured: true }, 'green', 'high')).toBe('\u001b[32mhigh\u001b[0m')
  })
})

describe('the nearest word', () => {
  test.each([
    ['sevre', 'serve'],
    ['exprot', 'export'],
    ['improt', 'import'],
    ['verfy', 'verify'],
    ['insigth', 'insight'],
    ['INSIGHT', 'insight'],
    ['xyzzy', undefined],
    ['banana', undefined],
  ])('%s: %s', (word, meant) => {
    expect(
      didYouMean(word, ['serve', 'key', 'import', 'export', 'insight', 'demo', 'verify', 'repair']),
    ).toBe(meant)
  })
})
