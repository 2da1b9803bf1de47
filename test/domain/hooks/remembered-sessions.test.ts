import { expect, test } from 'vitest'
import { RememberedSessions } from '../../../src/domain/hooks/remembered-sessions.js'

test('a word is given once, also to two at the same time', async () => {
  const sessions = new RememberedSessions()
  const claims = await Promise.all([1, 2].map(() => sessions.session('a').mark(['mem_1', 'mem_2'])))
  expect(claims.flat().sort()).toEqual(['mem_1', 'mem_2'])
  expect(await sessions.session('b').mark(['mem_1'])).toEqual(['mem_1'])
})

test('so many sessions are remembered, and the least recently used is forgotten first', async () => {
  const sessions = new RememberedSessions(2)
  for (const name of ['a', 'b', 'a', 'c']) await sessions.session(name).mark([`mem_${name}`])
  expect(sessions.size).toBe(2)
  expect(await sessions.session('a').has('mem_a')).toBe(true)
  expect(await sessions.session('b').has('mem_b')).toBe(false)
})

test('so many words of a session are remembered; then it is told nothing more', async () => {
  const session = new RememberedSessions(1, 3).session('a')
  expect(await session.mark(['mem_1', 'mem_2', 'mem_3', 'mem_4'])).toEqual(['mem_1', 'mem_2', 'mem_3'])
  expect(await session.mark(['mem_4'])).toEqual([])
})

test('a conversation that was emptied may be told again; what was done stays done', async () => {
  const session = new RememberedSessions().session('a')
  await session.mark(['mem_1', 'changed'])
  await session.forgetShownMemories()
  expect([await session.has('mem_1'), await session.has('changed')]).toEqual([false, true])
})
