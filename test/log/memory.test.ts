import { beforeEach, describe, expect, test } from 'vitest'
import { type MemoryHooks, MemoryLog, type Operation } from '../support/memory-log/memory-log.js'
import { MemoryStorage } from '../support/memory-log/memory-storage.js'
import { describeGraphLog, entry } from './graph-log.suite.js'

describeGraphLog('in memory', async () => {
  const storage = new MemoryStorage({ maxUndo: 1 })
  const log = new MemoryLog(storage)
  const open = [log]
  const another = async () => {
    const next = new MemoryLog(storage)
    open.push(next)
    return next
  }
  const close = async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
  }
  return {
    log,
    another,
    close,
    reopen: () => close().then(another),
    stored: async () => JSON.stringify([...storage.graphs, ...storage.vectors]),
    loseTail: async () => {
      storage.failOver(1)
      return log
    },
  }
})

describe('D19: in memory: a cut connection', () => {
  let storage: MemoryStorage
  let cut: { readonly when: keyof MemoryHooks; readonly operation: Operation; times: number } | undefined
  let log: MemoryLog
  const hook = (when: keyof MemoryHooks) => async (operation: Operation) => {
    if (cut === undefined || cut.when !== when || cut.operation !== operation || cut.times === 0) return
    cut.times--
    throw new Error('The connection was cut.')
  }
  beforeEach(() => {
    storage = new MemoryStorage({ maxUndo: 10 })
    cut = undefined
    log = new MemoryLog(storage, { before: hook('before'), after: hook('after') })
  })

  test('before the commit: the append rejects, and nothing was added', async () => {
    cut = { when: 'before', operation: 'append', times: 1 }
    await expect(log.append('g', undefined, [entry(1, 'one')])).rejects.toThrow('The connection was cut.')
    expect(await log.head('g')).toBeUndefined()
  })

  test('after the commit: the append resolves with its head', async () => {
    cut = { when: 'after', operation: 'append', times: 1 }
    const head = await log.append('g', undefined, [entry(1, 'one')])
    expect(await log.head('g')).toEqual(head)
  })

  test('after the commit, and while the outcome is asked for', async () => {
    const cuts: string[] = ['after append', 'before outcome', 'after outcome', 'before outcome']
    const cutNext = (when: string) => async (operation: Operation) => {
      if (cuts[0] !== `${when} ${operation}`) return
      cuts.shift()
      throw new Error('The connection was cut.')
    }
    log = new MemoryLog(storage, { before: cutNext('before'), after: cutNext('after') })
    const head = await log.append('g', undefined, [entry(1, 'one')])
    expect(cuts).toEqual([])
    expect(await log.head('g')).toEqual(head)
  })

  test('after the commit, when another process has appended since', async () => {
    const other = new MemoryLog(storage)
    const before = async (operation: Operation) => {
      if (operation !== 'outcome') return
      const head = await other.head('g')
      if (head?.position === 1) await other.append('g', head, [entry(2, 'of the other')])
    }
    cut = { when: 'after', operation: 'append', times: 1 }
    log = new MemoryLog(storage, { before, after: hook('after') })
    const one = await log.append('g', undefined, [entry(1, 'one')])
    expect(one.position).toBe(1)
    expect((await log.head('g'))?.position).toBe(2)
  })

  test('after a refusal: it was not added', async () => {
    const one = await log.append('g', undefined, [entry(1, 'one')])
    cut = { when: 'after', operation: 'append', times: 1 }
    await expect(log.append('g', undefined, [entry(1, 'late')])).rejects.toThrow()
    expect(await log.head('g')).toEqual(one)
  })

  test('a replacement and a removal', async () => {
    async function* source() {
      yield [entry(1, 'one')]
    }
    cut = { when: 'after', operation: 'replace', times: 1 }
    const head = await log.replace('g', undefined, source())
    expect(await log.head('g')).toEqual(head)
    cut = { when: 'after', operation: 'remove', times: 1 }
    await log.remove('g', head)
    expect(await log.head('g')).toBeUndefined()
  })

  test('a process that is killed holds no lock', async () => {
    const other = new MemoryLog(storage)
    const stopped = log.locked('g', () => new Promise(() => undefined))
    void stopped.catch(() => undefined)
    const appended = other.append('g', undefined, [entry(1, 'one')])
    log.kill()
    expect((await appended).position).toBe(1)
    await expect(log.head('g')).rejects.toThrow()
  })
})
