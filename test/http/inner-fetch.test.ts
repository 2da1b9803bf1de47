import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { innerFetch } from '../../src/http/inner-fetch.js'

const URL = 'http://localhost/some?thing=1'

test('an answer is taken whole, and its end is heard once', async () => {
  const closed: string[] = []
  const fetch = innerFetch((req, res) => {
    res.on('close', () => closed.push(res.writableFinished ? 'finished' : 'cut short'))
    res.setHeader('X-Asked', `${req.method} ${req.url}`)
    req.on('data', (chunk) => res.write(chunk))
    req.on('end', () => res.end('.'))
  })
  const response = await fetch(new Request(URL, { method: 'POST', body: 'hello' }))
  expect(response.headers.get('x-asked')).toBe('POST /some?thing=1')
  expect(await response.text()).toBe('hello.')
  await sleep(5)
  expect(closed).toEqual(['finished'])
})

test.each<[string, RequestListener]>([
  ['before its head', (_req, res) => res.destroy()],
  ['after its head', (_req, res) => res.write('half') && res.destroy()],
  ['after its head, later', (_req, res) => res.write('half') && setTimeout(() => res.destroy(), 5)],
  ['by an error', (_req, res) => res.write('half') && res.destroy(new Error('broken'))],
])('rejects when an answer is cut short %s', async (_when, listener) => {
  await expect(innerFetch(listener)(new Request(URL))).rejects.toThrow(/cut short|broken/)
})

test('rejects with the reason of the signal, and the listener hears that nobody waits', async () => {
  const gone = new AbortController()
  let closed = false
  const fetch = innerFetch((_req, res) => {
    res.on('close', () => {
      closed = true
    })
    res.write('half')
    gone.abort(new Error('nobody waits'))
  })
  await expect(fetch(new Request(URL, { signal: gone.signal }))).rejects.toThrow('nobody waits')
  await expect.poll(() => closed).toBe(true)
})

test('asks nothing for a request that was given up before', async () => {
  let asked = false
  const fetch = innerFetch((_req, res) => {
    asked = true
    res.end()
  })
  await expect(fetch(new Request(URL, { signal: AbortSignal.abort() }))).rejects.toThrow()
  expect(asked).toBe(false)
})
