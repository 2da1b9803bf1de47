import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operationsOf, readOpenApi } from '../support/openapi.js'
import { refusedAlike } from '../support/refusals.js'

/** Decided before anyone looks at the operation, and alike for all: see test/http/load/rate-limits.test.ts. */
const ALIKE_FOR_ALL = ['429']

test.each(operationsOf(readOpenApi()))(
  '$id has tests for every status that it declares',
  async (operation) => {
    const { id, object } = operation
    const text = await readFile(new URL(`../operations/${id}.test.ts`, import.meta.url), 'utf8')
    const titles = Array.from(text.matchAll(/^\s*describe\('(\w+)/gm), ([, word]) => word)
    if (new RegExp(`describeRefusals\\(\\s*api,\\s*'${id}'`).test(text))
      titles.push(...refusedAlike(operation))
    expect(new Set(titles)).toEqual(
      new Set(Object.keys(object.responses).filter((status) => !ALIKE_FOR_ALL.includes(status))),
    )
  },
)
