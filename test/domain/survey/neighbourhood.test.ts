import { expect, test } from 'vitest'
import { LINK_KINDS } from '../../../src/domain/model.js'
import { LinkBudget, linkOrder } from '../../../src/domain/survey/neighbourhood.js'

test('links are looked at until 100,000 have been, 50,000 of a context in each direction', () => {
  const budget = new LinkBudget()
  expect([budget.tryVisit(50_000, 0), budget.unexplored]).toEqual([true, 0])
  expect([budget.tryVisit(0, 49_999), budget.unexplored]).toEqual([true, 0])
  expect([budget.tryVisit(50_001, 60_000), budget.unexplored]).toEqual([true, 1])
  expect([budget.tryVisit(1, 0), budget.tryVisit(0, 0), budget.unexplored]).toEqual([false, false, 3])
})

test('links are in order by where they start, where they lead and their kind', () => {
  const orders = [0, 1, 999].flatMap((from) =>
    [0, 1, 999].flatMap((to) => LINK_KINDS.map((kind) => linkOrder(from, to, kind))),
  )
  expect(orders).toEqual([...new Set(orders)].sort((a, b) => a - b))
})
