import { expect, test } from 'vitest'
import { MIN_RELEVANCE } from '../../src/domain/insight/say.js'
import { parted, TOLD_FROM } from '../../src/explorer/parts/told.js'
import type { Evidence } from '../../src/explorer/state/types.js'
import { readOpenApi, type Schema } from '../support/openapi.js'

const evidence = (role: Evidence['role'], relevance: number) => ({ role, relevance }) as Evidence

test('what is shown begins where the insight and the contract say', () => {
  const { Evidence } = readOpenApi().components['schemas'] as Record<string, Schema>
  expect(TOLD_FROM).toBe(MIN_RELEVANCE)
  expect(Evidence?.properties?.['relevance']?.description).toContain(`reaches ${MIN_RELEVANCE};`)
})

test('what fits little is only found beside it, unless it is the best, speaks against it, or is of the past', () => {
  const [best, good, poor, adding, against, past] = [
    evidence('supports', 0.2),
    evidence('supports', 0.43),
    evidence('supports', 0.42),
    evidence('extends', 0.1),
    evidence('contradicts', 0.1),
    evidence('superseded', 0.1),
  ] as const
  expect(parted([best, good, poor, adding, against, past])).toEqual({
    told: [best, good, against, past],
    beside: [poor, adding],
  })
  expect(parted([])).toEqual({ told: [], beside: [] })
})
