import { expect, test } from 'vitest'
import { MemoryFiles } from '../faults/support/memory-files.js'
import { openOn } from '../faults/support/scene.js'
import { event, record } from '../store/support.js'
import { startTestServer } from '../support/server.js'

test('503: the audit says who erased, though a file could not be removed; of what is not there, or of a dry run, it says nothing', async () => {
  const files = new MemoryFiles()
  const store = await openOn(files)
  const server = await startTestServer({ store })
  try {
    await record(store, 'g', event('skill:a', 'x'))
    files.before = (operation, path) => {
      if (operation === 'remove' && path.includes('/graphs/'))
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
    }
    const erase = (query = '') => server.call(`/v1/graphs/g${query}`, { method: 'DELETE' })
    const audits = () => server.lines.filter(({ msg }) => msg === 'audit')
    expect(await erase('?dry_run=true')).toMatchObject({ status: 200 })
    expect(audits()).toEqual([])
    const { status, body, headers } = await erase()
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('What was erased is in no answer any more') },
    })
    const line = { id: headers.get('x-request-id'), key: 'root', erasing: 'g', failed: 'storage_unavailable' }
    expect(audits()).toEqual([expect.objectContaining(line)])
    expect(await erase()).toMatchObject({ status: 404 })
    expect(audits()).toHaveLength(1)
  } finally {
    await server.stop()
    await store.close()
  }
})
