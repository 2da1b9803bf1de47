import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DIMENSIONS } from '../../src/domain/meaning/nearness.js'
import type { MemoryId } from '../../src/domain/model.js'
import type { VectorRecord, VectorStore } from '../../src/graph/embeddings.js'
import type { Erased, GraphRecord, KeptAnswer, Recorded } from '../../src/graph/records.js'
import { type Entry, UnknownRecord } from '../../src/log/entries.js'
import {
  Behind,
  Diverged,
  type GraphLog,
  type Head,
  isSame,
  type LockedLog,
  NewerVersion,
} from '../../src/log/graph-log.js'

/** A log under test, empty at first. */
export interface OpenedLog {
  readonly log: GraphLog
  /** Opens a second process on the same storage; absent if a log has one owner. */
  another?(): Promise<GraphLog>
  /** Closes what is open, unless it is closed already, and opens what it left behind. */
  reopen(): Promise<GraphLog>
  /** Closes what is open and removes everything. */
  close(): Promise<void>
  /** Everything that is stored, in files or rows, as text: what was erased must not be in it. */
  stored?(): Promise<string>
  /** Loses the last append of the graph, as a failover does; what is returned is used from then on. */
  loseTail?(graphId: string): Promise<GraphLog>
}

const G = 'g'
const AT = '2025-01-01T00:00:00.000Z'
const FIRST = { page: 0, pageSize: 100 }

/** Holds an implementation of `GraphLog` to its promises; `isShared` if several processes may use it at once. */
export function describeGraphLog(name: string, open: () => Promise<OpenedLog>, isShared = true): void {
  let opened: OpenedLog
  let log: GraphLog
  beforeEach(async () => {
    opened = await open()
    log = opened.log
  })
  afterEach(() => opened.close())

  /** Of a log that several processes share, and that may lose its last append. */
  function testShared(title: string, check: () => Promise<void>): void {
    if (isShared) test(title, check)
  }

  async function other(): Promise<GraphLog> {
    const another = await opened.another?.()
    if (another === undefined) throw new Error('The log has one owner.')
    return another
  }

  /** One append of one entry for each text, one after the other. */
  async function filled(...texts: string[]): Promise<Head> {
    let head = await log.head(G)
    for (const text of texts) head = await log.append(G, head, [entry((head?.position ?? 0) + 1, text)])
    return known(head)
  }

  async function beforeAndAfterReopen(check: (log: GraphLog) => Promise<void>): Promise<void> {
    await check(log)
    await check(await opened.reopen())
  }

  describe(`D19: ${name}: order`, () => {
    test('entries come in the order in which they were appended, as they were', async () => {
      const entries = [
        entry(1, 'one', 'two'),
        { ...entry(3, 'ünïcode 🦊 "quoted"\n\u2028 \\'), once: answer },
        { ...entry(4), count: 1, records: [decided(4)] },
        { position: 5, count: 1, records: [{ op: 'rewritten', seq: 5, recordedAt: AT }] },
      ] satisfies Entry[]
      const first = await log.append(G, undefined, entries.slice(0, 2))
      await log.append(G, first, entries.slice(2))
      expect(await all(log)).toEqual(entries)
      expect(await all(await opened.reopen())).toEqual(entries)
    })

    test('the tail is what comes after a head', async () => {
      const one = await filled('one')
      const two = await log.append(G, one, [entry(2, 'two'), entry(3, 'three')])
      const four = await filled('four')
      expect(textsOf(await all(log, one))).toEqual(['two', 'three', 'four'])
      expect(textsOf(await all(log, two))).toEqual(['four'])
      expect(await all(log, four)).toEqual([])
      expect(textsOf(await all(await opened.reopen(), one))).toEqual(['two', 'three', 'four'])
    })

    test('from a position on, nothing that ends behind it is left out', async () => {
      const head = await log.append(G, undefined, [
        entry(1, 'one'),
        entry(2, 'two', 'three'),
        entry(4, 'four'),
      ])
      await beforeAndAfterReopen(async (own) => {
        expect(textsOf(await all(own, undefined, G, 3)).slice(-3)).toEqual(['two', 'three', 'four'])
        expect(textsOf(await all(own, undefined, G, 4)).slice(-1)).toEqual(['four'])
        expect(textsOf(await all(own, head, G, 2))).toEqual([])
      })
    })

    test('nothing is shared with what was given', async () => {
      const record = recorded(1, 'one')
      const given = { position: 1, count: 1, records: [record] }
      await log.append(G, undefined, [given])
      Object.assign(record.payload, { text: 'changed' })
      given.records.pop()
      const [first] = await all(log)
      expect(first).toEqual(entry(1, 'one'))
      Object.assign(first ?? {}, { records: [] })
      expect(await all(log)).toEqual([entry(1, 'one')])
    })

    test('a graph that does not exist has no head and no entries', async () => {
      expect(await log.head(G)).toBeUndefined()
      expect(await all(log)).toEqual([])
    })

    testShared('another process reads what was appended', async () => {
      const second = await other()
      const one = await filled('one')
      expect(await second.head(G)).toEqual(one)
      const two = await second.append(G, one, [entry(2, 'two')])
      expect(await log.head(G)).toEqual(two)
      expect(textsOf(await all(log, one))).toEqual(['two'])
    })
  })

  describe(`D19: ${name}: positions that only rise`, () => {
    test('the head is at the last position', async () => {
      const head = await log.append(G, undefined, [entry(1, 'one', 'two', 'three'), entry(4, 'four')])
      expect(head).toMatchObject({ graphId: G, position: 4, erasedAt: 0 })
      expect(await log.head(G)).toEqual(head)
      expect(await (await opened.reopen()).head(G)).toEqual(head)
    })

    test('an erasure gives no position back', async () => {
      const head = await log.append(G, undefined, [entry(1, 'one', 'two')])
      const erasedAt = await log.erase(G, head, erasing(3, [emptied(1, 2)], [[1, 2]]))
      expect(erasedAt).toMatchObject({ position: 3, erasedAt: 3, epoch: head.epoch })
      const reopened = await opened.reopen()
      expect(await reopened.head(G)).toEqual(erasedAt)
      const next = await reopened.append(G, erasedAt, [entry(4, 'four')])
      expect(next).toMatchObject({ position: 4, erasedAt: 3, epoch: head.epoch })
      expect(positionsOf(await all(reopened))).toEqual([3, 4])
    })

    test('every append has an id of its own', async () => {
      const heads = [await filled('one'), await filled('two'), await filled('three')]
      expect(new Set(heads.map(({ appendId }) => appendId)).size).toBe(3)
      expect(new Set(heads.map(({ epoch }) => epoch)).size).toBe(1)
    })

    test('the bytes of a head are about those of its entries', async () => {
      const small = await filled('small')
      const large = await log.append(G, small, [entry(2, 'x'.repeat(10_000))])
      expect(small.bytes).toBeGreaterThan(0)
      expect(large.bytes - small.bytes).toBeGreaterThan(5_000)
      expect(large.bytes - small.bytes).toBeLessThan(20_000)
    })
  })

  describe(`D19: ${name}: all or none`, () => {
    test('an append that fails adds none of its entries', async () => {
      const head = await filled('one')
      await expect(log.append(G, head, [entry(2, 'two'), unwritable(3)])).rejects.toThrow()
      expect(await log.head(G)).toEqual(head)
      expect(textsOf(await all(log))).toEqual(['one'])
      await filled('another two')
      expect(textsOf(await all(await opened.reopen()))).toEqual(['one', 'another two'])
    })

    test('a graph whose first append fails does not exist', async () => {
      await expect(log.append(G, undefined, [entry(1, 'one'), unwritable(2)])).rejects.toThrow()
      expect(await log.head(G)).toBeUndefined()
      expect((await log.graphs(undefined, FIRST)).items).toEqual([])
    })

    test('an erasure that fails changes nothing', async () => {
      const head = await filled('one', 'two')
      const erasure = erasing(3, [emptied(1), { ...unwritable(2), position: 2 }], [[1, 2]])
      await expect(log.erase(G, head, erasure)).rejects.toThrow()
      expect(await log.head(G)).toEqual(head)
      expect(textsOf(await all(log))).toEqual(['one', 'two'])
    })
  })

  describe(`D19: ${name}: Behind`, () => {
    test('an append after an older head', async () => {
      const one = await filled('one')
      const two = await filled('two')
      await expect(log.append(G, one, [entry(2, 'late')])).rejects.toThrow(Behind)
      await expect(log.append(G, undefined, [entry(1, 'late')])).rejects.toThrow(Behind)
      expect(await log.head(G)).toEqual(two)
      expect(textsOf(await all(log))).toEqual(['one', 'two'])
    })

    test('an append, an erasure, a replacement or a removal of a graph that is gone', async () => {
      const head = await filled('one')
      await log.remove(G, head)
      await expect(log.append(G, head, [entry(2, 'late')])).rejects.toThrow(Behind)
      await expect(log.erase(G, head, erasing(2, [emptied(1)], [[1, 1]]))).rejects.toThrow(Behind)
      await expect(log.replace(G, head, inBatches([entry(1, 'late')]))).rejects.toThrow(Behind)
      await expect(log.remove(G, head)).rejects.toThrow(Behind)
      expect(await log.head(G)).toBeUndefined()
    })

    test('an erasure, a replacement or a removal after an older head', async () => {
      const one = await filled('one')
      const two = await filled('two')
      await expect(log.erase(G, one, erasing(2, [emptied(1)], [[1, 1]]))).rejects.toThrow(Behind)
      await expect(log.replace(G, one, inBatches([entry(1, 'late')]))).rejects.toThrow(Behind)
      await expect(log.replace(G, undefined, inBatches([entry(1, 'late')]))).rejects.toThrow(Behind)
      await expect(log.remove(G, one)).rejects.toThrow(Behind)
      expect(await log.head(G)).toEqual(two)
      expect(textsOf(await all(log))).toEqual(['one', 'two'])
    })

    test('an append to a graph that was replaced by one of the same length', async () => {
      const head = await filled('one')
      await log.replace(G, head, inBatches([entry(1, 'new')]))
      await expect(log.append(G, head, [entry(2, 'late')])).rejects.toThrow(Behind)
      expect(textsOf(await all(log))).toEqual(['new'])
    })

    testShared('a replacement that was overtaken while it read its source', async () => {
      const second = await other()
      const head = await filled('one')
      const source = inBatches([entry(1, 'new')], () =>
        second.append(G, head, [entry(2, 'two')]).catch(() => undefined),
      )
      const replaced = await log.replace(G, head, source).catch((error: unknown) => error)
      // Either the append came first, or it was refused because the graph was being replaced.
      if (replaced instanceof Error) expect(replaced).toBeInstanceOf(Behind)
      expect(textsOf(await all(log))).toEqual(replaced instanceof Error ? ['one', 'two'] : ['new'])
    })
  })

  describe(`D19: ${name}: Diverged`, () => {
    test('the graph was replaced', async () => {
      const head = await filled('one', 'two')
      await log.replace(G, head, inBatches([entry(1, 'new'), entry(2, 'new'), entry(3, 'new')]))
      await expect(all(log, head)).rejects.toThrow(Diverged)
      await expect(all(await opened.reopen(), head)).rejects.toThrow(Diverged)
    })

    test('the graph was removed', async () => {
      const head = await filled('one')
      await log.remove(G, head)
      await expect(all(log, head)).rejects.toThrow(Diverged)
    })

    test('the graph was removed and begun again', async () => {
      const head = await filled('one')
      await log.remove(G, head)
      await filled('new', 'new')
      await expect(all(log, head)).rejects.toThrow(Diverged)
    })

    testShared('the last append was lost', async () => {
      const { loseTail } = opened
      if (loseTail === undefined) throw new Error('The log loses nothing.')
      const one = await filled('one')
      const lost = await filled('lost')
      log = await loseTail.call(opened, G)
      expect(await log.head(G)).toEqual(one)
      await expect(all(log, lost)).rejects.toThrow(Diverged)
      expect(await all(log, one)).toEqual([])
    })

    testShared('the last append was lost, and another has its position', async () => {
      const { loseTail } = opened
      if (loseTail === undefined) throw new Error('The log loses nothing.')
      const one = await filled('one')
      const lost = await filled('lost')
      log = await loseTail.call(opened, G)
      const two = await filled('two')
      expect(isSame(two, lost)).toBe(false)
      await expect(all(log, lost)).rejects.toThrow(Diverged)
      await expect(log.append(G, lost, [entry(3, 'late')])).rejects.toThrow(Behind)
      expect(textsOf(await all(log, one))).toEqual(['two'])
      await filled('three')
      await expect(all(log, lost)).rejects.toThrow(Diverged)
    })

    test('an entry was erased since the reading began', async () => {
      const count = 3_000
      const head = await log.append(G, undefined, many(1, count))
      const reading = log.read(G, undefined)[Symbol.asyncIterator]()
      const first = await reading.next()
      const given = first.done === true ? [] : [...first.value]
      expect(given.length).toBeLessThan(count)
      await log.erase(G, head, erasing(count + 1, [emptied(count)], [[count, count]]))
      const rest = await rested(reading)
      expect(textsOf(rest.entries)).not.toContain(`text ${count}`)
      if (rest.error !== undefined) expect(rest.error).toBeInstanceOf(Diverged)
      else expect(positionsOf([...given, ...rest.entries])).toEqual(upTo(count + 1, [count]))
    })

    test('something was erased since the known head, even if the entries up to it keep their length', async () => {
      const one = await filled('one')
      const two = await filled('two')
      const three = await log.erase(G, two, erasing(3, [entry(2, 'without a link')], []))
      for (const after of [undefined, one, two])
        await expect(all(log, after, G, undefined, two)).rejects.toThrow(Diverged)
      expect(textsOf(await all(log, one, G, undefined, three))).toContain('without a link')
      await log.remove(G, three)
      await expect(all(log, undefined, G, undefined, three)).rejects.toThrow(Diverged)
    })

    test.each(['replaced', 'removed'])('the graph was %s since the reading began', async (how) => {
      const head = await log.append(G, undefined, many(1, 3_000))
      const reading = log.read(G, undefined)[Symbol.asyncIterator]()
      await reading.next()
      if (how === 'removed') await log.remove(G, head)
      else await log.replace(G, head, inBatches(many(1, 4_000, 'new')))
      const rest = await rested(reading)
      expect(rest.error).toBeInstanceOf(Diverged)
      expect(textsOf(rest.entries).filter((text) => text.startsWith('new'))).toEqual([])
    })

    test('not because of an append or an erasure behind the head', async () => {
      const one = await filled('one')
      const two = await filled('two')
      const three = await log.erase(G, two, erasing(3, [emptied(1)], [[1, 1]]))
      expect(positionsOf(await all(log, one))).toEqual([2, 3])
      expect(positionsOf(await all(log, two))).toEqual([3])
      const reopened = await opened.reopen()
      expect(positionsOf(await all(reopened, one))).toEqual([2, 3])
      expect(await all(reopened, three)).toEqual([])
    })

    test('not because the entry of a head was erased', async () => {
      const one = await filled('one')
      const two = await filled('two')
      await log.erase(G, two, erasing(3, [emptied(1), emptied(2)], [[1, 2]]))
      expect(positionsOf(await all(log, one))).toEqual([3])
      expect(positionsOf(await all(log, two))).toEqual([3])
      expect(positionsOf(await all(await opened.reopen(), one))).toEqual([3])
    })
  })

  describe(`D19: ${name}: erase`, () => {
    test('an entry has fewer records, and takes as many positions as before', async () => {
      const head = await log.append(G, undefined, [
        entry(1, 'stays', 'secret', 'stays too'),
        entry(4, 'last'),
      ])
      const left = { position: 1, count: 3, records: [recorded(1, 'stays'), recorded(3, 'stays too')] }
      const erasure = erasing(5, [left], [[2, 2]])
      await log.erase(G, head, erasure)
      const entries = [left, entry(4, 'last'), erasure.erased]
      expect(await all(log)).toEqual(entries)
      expect(await all(await opened.reopen())).toEqual(entries)
    })

    test('an entry has no records left', async () => {
      const head = await filled('one', 'secret', 'three')
      const erasure = erasing(4, [emptied(2)], [[2, 2]])
      await log.erase(G, head, erasure)
      const entries = [entry(1, 'one'), entry(3, 'three'), erasure.erased]
      expect(notEmpty(await all(log))).toEqual(entries)
      expect(notEmpty(await all(await opened.reopen()))).toEqual(entries)
    })

    test('an entry has other decisions, and no answer any more', async () => {
      const record = decided(2)
      const head = await log.append(G, undefined, [
        { ...entry(1, 'secret'), once: answer },
        { position: 2, count: 1, records: [record] },
      ])
      const { decisions: _decisions, ...undecided } = record
      const changed = [emptied(1), { position: 2, count: 1, records: [undecided] }]
      await log.erase(G, head, erasing(3, changed, [[1, 1]]))
      expect(notEmpty(await all(log)).slice(0, -1)).toEqual([changed[1]])
      expect(JSON.stringify(await all(await opened.reopen()))).not.toContain(answer.key)
    })

    test('the text is nowhere any more', async () => {
      const head = await filled('one', 'xyzzysecret', 'three')
      await log.erase(G, head, erasing(4, [emptied(2)], [[2, 2]]))
      expect(JSON.stringify(await all(log))).not.toContain('xyzzysecret')
      expect(await opened.stored?.()).not.toContain('xyzzysecret')
      expect(JSON.stringify(await all(await opened.reopen()))).not.toContain('xyzzysecret')
      expect(await opened.stored?.()).not.toContain('xyzzysecret')
    })

    test('the vectors of what was erased are gone', async () => {
      const head = await filled('one', 'two')
      const store = await vectorsOf(log)
      const place = await store.append([vector(1), vector(2)])
      await log.erase(G, head, erasing(3, [emptied(1)], [[1, 1]]))
      expect(store.readNow(place, idOf(1))).toBeUndefined()
      await store.close()
      expect((await taken(log)).map(({ id }) => id)).not.toContain(idOf(1))
      expect((await taken(await opened.reopen())).map(({ id }) => id)).not.toContain(idOf(1))
    })

    test('the head says where the last erasure is', async () => {
      const two = await filled('one', 'two')
      const three = await log.erase(G, two, erasing(3, [emptied(1)], [[1, 1]]))
      expect(three).toMatchObject({ position: 3, erasedAt: 3 })
      const four = await filled('four')
      expect(four.erasedAt).toBe(3)
      const five = await log.erase(G, four, erasing(5, [emptied(2)], [[2, 2]]))
      expect(five.erasedAt).toBe(5)
      expect(five.bytes).toBeLessThan(four.bytes + two.bytes)
      expect((await (await opened.reopen()).head(G))?.erasedAt).toBe(5)
    })

    testShared('a second process reads no erased text', async () => {
      const second = await other()
      const head = await filled('one', 'secret')
      expect(textsOf(await all(second))).toEqual(['one', 'secret'])
      await log.erase(G, head, erasing(3, [emptied(2)], [[2, 2]]))
      expect(textsOf(await all(second))).toEqual(['one'])
      expect(positionsOf(await all(second, head))).toEqual([3])
    })
  })

  describe(`D19: ${name}: replace`, () => {
    test('a graph begins with the entries of its source, in their order', async () => {
      const entries = many(1, 250)
      const head = await log.replace(G, undefined, inBatches(entries))
      expect(head).toMatchObject({ graphId: G, position: 250 })
      expect(await log.head(G)).toEqual(head)
      expect(await all(log)).toEqual(entries)
      const next = await log.append(G, head, [entry(251, 'next')])
      const reopened = await opened.reopen()
      expect(await all(reopened)).toEqual([...entries, entry(251, 'next')])
      expect(await reopened.head(G)).toEqual(next)
    })

    test('nothing of the former graph is left', async () => {
      const head = await filled('xyzzyformer', 'xyzzyformer too')
      const replaced = await log.replace(G, head, inBatches([entry(1, 'new')]))
      expect(replaced.epoch).not.toBe(head.epoch)
      expect(textsOf(await all(log))).toEqual(['new'])
      expect(await opened.stored?.()).not.toContain('xyzzyformer')
      expect(textsOf(await all(await opened.reopen()))).toEqual(['new'])
    })

    test('a source that throws leaves no graph', async () => {
      const source = inBatches(many(1, 250, 'xyzzylost'), () => {
        throw new Error('The source is at its end.')
      })
      await expect(log.replace(G, undefined, source)).rejects.toThrow('The source is at its end.')
      expect(await log.head(G)).toBeUndefined()
      expect((await log.graphs(undefined, FIRST)).items).toEqual([])
      await filled('one')
      const reopened = await opened.reopen()
      expect(textsOf(await all(reopened))).toEqual(['one'])
      expect(await opened.stored?.()).not.toContain('xyzzylost')
    })

    test('a source that throws leaves the former graph', async () => {
      const head = await filled('one')
      const source = inBatches(many(1, 250), () => {
        throw new Error('The source is at its end.')
      })
      await expect(log.replace(G, head, source)).rejects.toThrow('The source is at its end.')
      expect(await log.head(G)).toEqual(head)
      expect(textsOf(await all(await opened.reopen()))).toEqual(['one'])
    })

    test('an entry that cannot be written leaves no graph', async () => {
      await expect(log.replace(G, undefined, inBatches([entry(1, 'one'), unwritable(2)]))).rejects.toThrow()
      expect(await log.head(G)).toBeUndefined()
    })

    test('nobody sees a graph before it is whole', async () => {
      const second = await opened.another?.()
      const seen: unknown[] = []
      const source = inBatches(many(1, 250), async () => {
        for (const one of second === undefined ? [log] : [log, second])
          seen.push(await one.head(G), await all(one), (await one.graphs(undefined, FIRST)).items)
      })
      await log.replace(G, undefined, source)
      expect(seen.flat().filter((one) => one !== undefined)).toEqual([])
      expect((await log.graphs(undefined, FIRST)).items).toEqual([G])
    })

    test('the former graph is there until the new one is whole', async () => {
      const head = await filled('former')
      const seen: unknown[] = []
      const source = inBatches(many(1, 250), async () => {
        seen.push(await log.head(G), textsOf(await all(log)))
      })
      await log.replace(G, head, source)
      expect(seen).toEqual([head, ['former']])
    })

    test('no epoch is used twice', async () => {
      const epochs: string[] = []
      const note = (head: Head): Head => {
        epochs.push(head.epoch)
        return head
      }
      await log.remove(G, note(await filled('one')))
      const replaced = note(await log.replace(G, undefined, inBatches([entry(1, 'one')])))
      const again = note(await log.replace(G, replaced, inBatches([entry(1, 'one')])))
      await log.remove(G, again)
      log = await opened.reopen()
      await log.remove(G, note(await filled('one')))
      log = await opened.reopen()
      note(await log.replace(G, undefined, inBatches([entry(1, 'one')])))
      expect(new Set(epochs).size).toBe(5)
    })
  })

  describe(`D19: ${name}: remove`, () => {
    test('nothing of a graph is left', async () => {
      await log.append('beside', undefined, [entry(1, 'beside')])
      const head = await filled('xyzzyremoved')
      const store = await vectorsOf(log)
      await store.append([vector(1)])
      await store.close()
      await log.remove(G, head)
      expect(await log.head(G)).toBeUndefined()
      expect(await all(log)).toEqual([])
      expect(await taken(log)).toEqual([])
      expect(await opened.stored?.()).not.toContain('xyzzyremoved')
      const reopened = await opened.reopen()
      expect((await reopened.graphs(undefined, FIRST)).items).toEqual(['beside'])
      expect(textsOf(await all(reopened, undefined, 'beside'))).toEqual(['beside'])
    })

    test('a graph of that name begins at position 1', async () => {
      const head = await filled('one', 'two')
      await log.remove(G, head)
      expect(await filled('new')).toMatchObject({ position: 1, erasedAt: 0 })
      expect(textsOf(await all(await opened.reopen()))).toEqual(['new'])
    })
  })

  describe(`D19: ${name}: heads and graphs`, () => {
    test('heads are those of the graphs that exist', async () => {
      const a = await log.append('a', undefined, [entry(1, 'one')])
      const b = await log.append('b', undefined, [entry(1, 'one'), entry(2, 'two')])
      await log.append('c', undefined, [entry(1, 'one')])
      expect(await log.heads(['b', 'nobody', 'a'])).toEqual(
        new Map([
          ['a', a],
          ['b', b],
        ]),
      )
      expect(await log.heads([])).toEqual(new Map())
      expect(await (await opened.reopen()).heads(['b'])).toEqual(new Map([['b', b]]))
    })

    test('graphs are listed by id, in pages', async () => {
      for (const id of ['c', 'a', 'B', 'ü', 'b', 'aa']) await log.append(id, undefined, [entry(1, 'one')])
      const page = (number: number) => log.graphs(undefined, { page: number, pageSize: 4 })
      expect(await page(0)).toEqual({ page: 0, pageSize: 4, total: 6, items: ['B', 'a', 'aa', 'b'] })
      expect(await page(1)).toEqual({ page: 1, pageSize: 4, total: 6, items: ['c', 'ü'] })
      expect(await page(2)).toEqual({ page: 2, pageSize: 4, total: 6, items: [] })
      expect((await (await opened.reopen()).graphs(undefined, FIRST)).total).toBe(6)
    })

    test('with a reach, only the graphs that it names', async () => {
      for (const id of ['a', 'b', 'c']) await log.append(id, undefined, [entry(1, 'one')])
      const reached = await log.graphs(['c', 'nobody', 'a', 'c'], { page: 0, pageSize: 1 })
      expect(reached).toEqual({ page: 0, pageSize: 1, total: 2, items: ['a'] })
      expect((await log.graphs([], FIRST)).items).toEqual([])
    })
  })

  describe(`D19: ${name}: vectors`, () => {
    beforeEach(() => filled('one', 'two', 'three'))

    test('what was kept is read at once, at its place', async () => {
      const store = await vectorsOf(log)
      const place = await store.append([vector(1), vector(2)])
      expect(store.readNow(place, idOf(1))).toEqual(vector(1).vector)
      expect(store.readNow(place + 1, idOf(2))).toEqual(vector(2).vector)
      expect(store.readNow(place, idOf(2))).toBeUndefined()
      expect(store.readNow(place + 2, idOf(3))).toBeUndefined()
      await store.close()
    })

    test('open gives each vector once, with its place, and none that is not wanted', async () => {
      const before = await vectorsOf(log)
      await before.append([vector(1), vector(2)])
      await before.append([vector(3)])
      await before.close()
      log = await opened.reopen()
      const found = await taken(log, (id) => id !== idOf(2))
      expect(found.map(({ id }) => id).sort()).toEqual([idOf(1), idOf(3)])
      const kept = (await taken(log)).map(({ id }) => id).sort()
      // Another process may want what this one does not.
      expect(kept.filter((id) => id !== idOf(2))).toEqual([idOf(1), idOf(3)])
      const store = log.vectors(G, 'model', () => undefined)
      const places = new Map<MemoryId, number>()
      await store.open(
        () => true,
        ({ id }, place) => places.set(id, place),
      )
      expect(store.readNow(known(places.get(idOf(3))), idOf(3))).toEqual(vector(3).vector)
      await store.close()
    })

    test('more are kept after a reopening', async () => {
      const before = await vectorsOf(log)
      await before.append([vector(1)])
      await before.close()
      const store = await vectorsOf(await opened.reopen())
      const place = await store.append([vector(2), vector(3)])
      expect(store.readNow(place + 1, idOf(3))).toEqual(vector(3).vector)
      await store.close()
      const found = await taken(await opened.reopen())
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([vector(1), vector(2), vector(3)])
    })

    test('the vectors of another model are not given', async () => {
      const before = await vectorsOf(log)
      await before.append([vector(1)])
      await before.close()
      expect(await taken(log, () => true, 'another model')).toEqual([])
      const store = await vectorsOf(log, 'another model')
      const place = await store.append([vector(2)])
      expect(store.readNow(place, idOf(2))).toEqual(vector(2).vector)
      await store.close()
      expect(await taken(await opened.reopen(), () => true, 'another model')).toEqual([vector(2)])
    })
  })

  describe(`D19: ${name}: locked`, () => {
    test('work has a log to use, and its result is given', async () => {
      const one = await filled('one')
      const result = await log.locked(G, async (own) => {
        const head = await own.head(G)
        expect(head).toEqual(one)
        expect(textsOf(await all(own))).toEqual(['one'])
        return own.append(G, head, [entry(2, 'two')])
      })
      expect(await log.head(G)).toEqual(result)
    })

    test('work that fails holds nothing any more', async () => {
      const one = await filled('one')
      const failing = log.locked(G, async () => {
        throw new Error('The work failed.')
      })
      await expect(failing).rejects.toThrow('The work failed.')
      const two = await log.append(G, one, [entry(2, 'two')])
      expect(await log.head(G)).toEqual(two)
    })

    test('a graph that does not exist yet', async () => {
      const head = await log.locked(G, async (own) => own.append(G, await own.head(G), [entry(1, 'one')]))
      expect(await log.head(G)).toEqual(head)
    })

    testShared('nobody else changes the graph meanwhile', async () => {
      const second = await other()
      const one = await filled('one')
      let settled = false
      let late: Promise<unknown> = Promise.resolve()
      await log.locked(G, async (own) => {
        late = second.append(G, one, [entry(2, 'late')]).catch((error: unknown) => error)
        void late.then(() => {
          settled = true
        })
        await pause(100)
        expect(settled).toBe(false)
        expect(await second.head(G)).toEqual(one)
        await own.append(G, one, [entry(2, 'two')])
      })
      expect(await late).toBeInstanceOf(Behind)
      expect(textsOf(await all(second))).toEqual(['one', 'two'])
    })

    testShared('other graphs are not locked', async () => {
      const second = await other()
      await filled('one')
      await log.locked(G, () => second.append('beside', undefined, [entry(1, 'beside')]))
      expect((await log.head('beside'))?.position).toBe(1)
    })

    testShared('a process that stops holds a graph for some seconds at most', async () => {
      const second = await other()
      const one = await filled('one')
      const begun = Date.now()
      const stopped = log.locked(G, async (own) => {
        const two = await second.append(G, one, [entry(2, 'two')])
        expect(Date.now() - begun).toBeLessThan(15_000)
        await expect(own.append(G, two, [entry(3, 'late')])).rejects.toThrow()
      })
      await stopped.catch(() => undefined)
      expect(textsOf(await all(second))).toEqual(['one', 'two'])
      expect((await filled('three')).position).toBe(3)
    })
  })

  describe(`D19: ${name}: concurrent appends`, () => {
    test('of one log: one wins, the other is Behind', async () => {
      await race(log, log)
    })

    testShared('of two logs: one wins, the other is Behind', async () => {
      await race(log, await other())
    })

    testShared('of two logs that try again until they win: nothing is lost or twice', async () => {
      const second = await other()
      const write = async (own: GraphLog, text: string) => {
        for (;;) {
          const head = await own.head(G)
          const next = entry((head?.position ?? 0) + 1, text)
          const added = await own.append(G, head, [next]).catch((error: unknown) => error)
          if (!(added instanceof Behind)) return expect(added).not.toBeInstanceOf(Error)
        }
      }
      const texts = upTo(40).map((number) => `text ${number}`)
      const writeAll = async (own: GraphLog, some: string[]) => {
        for (const text of some) await write(own, text)
      }
      await Promise.all([writeAll(log, texts.slice(0, 20)), writeAll(second, texts.slice(20))])
      const entries = await all(log)
      expect(positionsOf(entries)).toEqual(upTo(40))
      expect(textsOf(entries).sort()).toEqual(texts.sort())
      expect(await all(second)).toEqual(entries)
    })

    async function race(first: GraphLog, second: GraphLog): Promise<void> {
      let head: Head | undefined
      for (let round = 0; round < 20; round++) {
        const position = (head?.position ?? 0) + 1
        const outcomes = await Promise.allSettled([
          first.append(G, head, [entry(position, `first ${round}`)]),
          second.append(G, head, [entry(position, `second ${round}`)]),
        ])
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
        expect(won).toHaveLength(1)
        expect(lost[0]?.reason).toBeInstanceOf(Behind)
        head = won[0]?.value
        expect(await second.head(G)).toEqual(head)
      }
      expect(positionsOf(await all(first))).toEqual(upTo(20))
    }
  })

  describe(`D19: ${name}: records of a newer version`, () => {
    test('reading ends there, and nothing is skipped', async () => {
      const one = await filled('one')
      const two = await log.append(G, one, [newer(2), entry(3, 'three')])
      await beforeAndAfterReopen(async (own) => {
        const { entries, error } = await rested(own.read(G, undefined)[Symbol.asyncIterator]())
        expect(error instanceof NewerVersion || error instanceof UnknownRecord).toBe(true)
        expect(['', 'one']).toContain(textsOf(entries).join())
        await expect(all(own, one)).rejects.toThrow(Error)
        expect(await own.head(G)).toEqual(two)
        expect(await all(own, two)).toEqual([])
      })
    })
  })

  describe(`D19: ${name}: sizes`, () => {
    test('an entry of 1,000 records', async () => {
      const large = entry(1, ...upTo(1_000).map((number) => `${number} ${'x'.repeat(1_000)}`))
      const head = await log.append(G, undefined, [large])
      expect(head.position).toBe(1_000)
      expect(await all(log)).toEqual([large])
      const next = await log.append(G, head, [entry(1_001, 'next')])
      expect(next.position).toBe(1_001)
      expect(await all(await opened.reopen())).toEqual([large, entry(1_001, 'next')])
    })

    test('10,000 entries come some at a time', async () => {
      let head: Head | undefined
      let middle: Head | undefined
      for (let position = 1; position <= 10_000; position += 500) {
        head = await log.append(G, head, many(position, 500))
        if (position === 4_501) middle = head
      }
      await beforeAndAfterReopen(async (own) => {
        const sizes: number[] = []
        const positions: number[] = []
        for await (const some of own.read(G, undefined)) {
          sizes.push(some.length)
          positions.push(...positionsOf(some))
        }
        expect(positions).toEqual(upTo(10_000))
        expect(Math.max(...sizes)).toBeLessThan(10_000)
        expect(positionsOf(await all(own, middle))).toEqual(upTo(10_000).slice(5_000))
      })
    })

    test('a reading that is not finished leaves the log usable', async () => {
      const head = await log.append(G, undefined, many(1, 3_000))
      for await (const _some of log.read(G, undefined)) break
      const next = await log.append(G, head, [entry(3_001, 'next')])
      expect((await all(log, head)).map(({ position }) => position)).toEqual([3_001])
      expect(await log.head(G)).toEqual(next)
    })
  })

  describe(`D19: ${name}: close`, () => {
    test('what is under way is finished first', async () => {
      const one = await filled('one')
      const appended = log.append(G, one, [entry(2, 'two')])
      let isSettled = false
      void appended
        .catch(() => undefined)
        .then(() => {
          isSettled = true
        })
      await log.close()
      await pause(0)
      expect(isSettled).toBe(true)
      const texts = await appended.then(
        () => ['one', 'two'],
        () => ['one'],
      )
      expect(textsOf(await all(await opened.reopen()))).toEqual(texts)
    })

    test('later calls reject', async () => {
      const head = await filled('one')
      await log.close()
      await expect(log.head(G)).rejects.toThrow()
      await expect(log.heads([G])).rejects.toThrow()
      await expect(log.graphs(undefined, FIRST)).rejects.toThrow()
      await expect(all(log)).rejects.toThrow()
      await expect(log.append(G, head, [entry(2, 'two')])).rejects.toThrow()
      await expect(log.erase(G, head, erasing(2, [emptied(1)], [[1, 1]]))).rejects.toThrow()
      await expect(log.replace(G, head, inBatches([entry(1, 'new')]))).rejects.toThrow()
      await expect(log.remove(G, head)).rejects.toThrow()
      await expect(log.locked(G, async () => undefined)).rejects.toThrow()
      expect(textsOf(await all(await opened.reopen()))).toEqual(['one'])
    })
  })
}

const answer: KeptAnswer = { key: 'k'.repeat(64), body: 'b'.repeat(64), at: AT }

export function idOf(number: number): MemoryId {
  return `mem_${String(number).padStart(26, '0')}`
}

export function recorded(seq: number, text: string): Recorded {
  const stated = { seq, place: seq, source: 'agent', links: [], occurredAt: AT, recordedAt: AT } as const
  return { op: 'recorded', id: idOf(seq), context: 'note:a', kind: 'fact', payload: { text }, ...stated }
}

/** An entry with a record for each text. */
export function entry(position: number, ...texts: string[]): Entry {
  const records = texts.map((text, i) => recorded(position + i, text))
  return { position, count: Math.max(1, texts.length), records }
}

function many(position: number, count: number, text = 'text'): Entry[] {
  return Array.from({ length: count }, (_, i) => entry(position + i, `${text} ${position + i}`))
}

function decided(seq: number): Recorded {
  const bears = [[idOf(1)]]
  const opposes = [{ by: idOf(seq), against: idOf(1), effect: 'supersedes' as const }]
  const decisions = {
    bears,
    opposes,
    reinforces: [],
    returns: [],
    against: [],
    wholes: [],
    lost: [],
    unresolved: [],
  }
  return {
    ...recorded(seq, 'decided'),
    place: seq + 10,
    links: [{ kind: 'contradiction', target: idOf(1) }],
    occurredAt: '2024-01-01T00:00:00.000Z',
    validUntil: '2026-01-01T00:00:00.000Z',
    recordedBy: 'root',
    decisions,
  }
}

/** What is left of an entry when all its records are erased. */
function emptied(position: number, count = 1): Entry {
  return { position, count, records: [] }
}

/** An erasure at that position; its memories have the numbers of their positions. */
function erasing(seq: number, changed: readonly Entry[], removed: Erased['removed']) {
  const record: Erased = { op: 'erased', seq, recordedAt: AT, removed }
  const numbers = removed.flatMap(([first, last]) => upTo(last).filter((number) => number >= first))
  const memoryIds = new Set(numbers.map(idOf))
  return { changed, erased: { position: seq, count: 1, records: [record] }, memoryIds }
}

/** An entry that no log can encode. */
function unwritable(position: number): Entry {
  const payload = { text: 1n as unknown as string }
  return { position, count: 1, records: [{ ...recorded(position, ''), payload }] }
}

/** An entry with a record that this version does not know. */
function newer(position: number): Entry {
  const record = { op: 'proposed', seq: position, recordedAt: AT } as unknown as GraphRecord
  return { position, count: 1, records: [record] }
}

async function all(log: LockedLog, after?: Head, graphId = G, from?: number, known?: Head): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const some of log.read(graphId, after, known, from)) entries.push(...some)
  return entries
}

/** What a reading still gives, and how it ends. */
async function rested(reading: AsyncIterator<readonly Entry[]>) {
  const entries: Entry[] = []
  try {
    for (let next = await reading.next(); next.done !== true; next = await reading.next())
      entries.push(...next.value)
  } catch (error) {
    return { entries, error }
  }
  return { entries, error: undefined }
}

/** Entries without records may be left out. */
function notEmpty(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ records }) => records.length > 0)
}

function positionsOf(entries: readonly Entry[]): number[] {
  return notEmpty(entries).map(({ position }) => position)
}

function textsOf(entries: readonly Entry[]): string[] {
  return entries
    .flatMap(({ records }) => records)
    .flatMap((record) => (record.op === 'recorded' ? String(record.payload['text']) : []))
}

function upTo(last: number, except: readonly number[] = []): number[] {
  return Array.from({ length: last }, (_, i) => i + 1).filter((number) => !except.includes(number))
}

/** In batches of 100; `then` is done behind the last one. */
async function* inBatches(
  entries: readonly Entry[],
  then: () => unknown = () => undefined,
): AsyncGenerator<readonly Entry[]> {
  for (let i = 0; i < entries.length; i += 100) yield entries.slice(i, i + 100)
  await then()
}

function vector(number: number): VectorRecord {
  return { id: idOf(number), vector: Int8Array.from({ length: DIMENSIONS }, (_, i) => (i * number) % 127) }
}

async function vectorsOf(log: GraphLog, identity = 'model'): Promise<VectorStore> {
  const head = await log.head(G)
  const store = log.vectors(G, identity, () => head)
  await store.open(
    () => true,
    () => undefined,
  )
  return store
}

/** The vectors that an opening gives. */
async function taken(
  log: GraphLog,
  isWanted: (id: MemoryId) => boolean = () => true,
  identity = 'model',
): Promise<VectorRecord[]> {
  const store = log.vectors(G, identity, () => undefined)
  const found: VectorRecord[] = []
  await store.open(isWanted, ({ id, vector: bytes }) => found.push({ id, vector: bytes.slice() }))
  await store.close()
  return found
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such value.')
  return value
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
