import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { contradictions, playAtOnce } from '../support/order.js'
import { scaled } from './support/scale.js'
import { SECRET, startService } from './support/service.js'
import { tell } from './support/tell.js'

const SEEDS = 20
const CLIENTS = 8
const OPERATIONS = scaled(50, 500)

describe('A7: clients at once see one order', () => {
  test(`A7: ${CLIENTS} clients on 3 names, ${SEEDS} seeds: what each saw fits one order`, async () => {
    const service = startService(temporaryFolder(), [], { LOREGRAPH_RATE_LIMIT: 'off' })
    const url = await service.url
    for (let seed = 1; seed <= SEEDS; seed++) {
      const scene = { graph: `order-${seed}`, clients: CLIENTS, operations: OPERATIONS, seed }
      const history = await playAtOnce({ url, secret: SECRET, ...scene })
      expect(contradictions(history), `seed ${seed}`).toEqual([])
      expect(history.writes.length + history.reads.length).toBe(CLIENTS * OPERATIONS)
    }
    tell('A7', `${SEEDS} seeds of ${CLIENTS * OPERATIONS} operations, one order in each`)
    expect((await service.stop()).code).toBe(0)
  })
})
