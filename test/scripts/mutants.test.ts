import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/table.js'
import { ROOT } from '../support/program.js'

test.each(MUTANTS)('the bug "$name" can be planted in one place', ({ file, find }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(find)).toHaveLength(2)
})
