import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { NewMemory } from '../../../src/domain/model.js'
import { type OpenMeaning, openMeaning } from '../../../src/service/meaning/open-meaning.js'
import { type JsonStore, openJsonStore } from '../../../src/store/json/store.js'
import type { PresentReader } from '../../../src/store/store.js'
import { at } from '../../store/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'

/** A graph of these memories for the tests of a suite, read by the encoder that ships. */
export function useEncodedGraph(events: readonly NewMemory[]) {
  const folder = temporaryFolder()
  let meaning: OpenMeaning
  let store: JsonStore
  beforeAll(async () => {
    const opened = await openMeaning('on', { log: SILENT })
    if (opened === undefined) throw new Error('This machine cannot read for meaning.')
    meaning = opened
    store = await openJsonStore({ folder, now: () => new Date(), randomBytes, log: SILENT, meaning })
    await store.append('g', events, at)
    await store.caughtUp('g')
  })
  afterAll(async () => {
    await store.close()
    await meaning.close()
  })
  return {
    vectorOf: (text: string) => meaning.vectorOf(text),
    read: <T>(ask: (graph: PresentReader) => Promise<T>): Promise<T> => store.read('g', ask),
  }
}
