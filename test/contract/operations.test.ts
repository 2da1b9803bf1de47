import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operationsOf, readOpenApi } from '../support/openapi.js'

/** Decided before anyone looks at the operation, and alike for all: see test/http/load/rate-limits.test.ts. */
const ALIKE_FOR_ALL = ['429']

test.each(operationsOf(readOpenApi()))(
  '$id has tests for every status that it declares',
  async ({ id, object }) => {
    const file = new URL(`../operations/${id}.test.ts`, import.meta.url)
    const titles = Array.from(
      (await readFile(file, 'utf8')).matchAll(/^\s*describe\('(\w+)/gm),
      ([, word]) => word,
    )
    expect(new Set(titles)).toEqual(
      new Set(Object.keys(object.responses).filter((status) => !ALIKE_FOR_ALL.includes(status))),
    )
  },
)
