import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operationsOf, readOpenApi } from '../support/openapi.js'
import { refusedAlike } from '../support/refusals.js'

/**
 * Decided before anyone looks at what was asked, and alike for all: see scopes.test.ts for the secrets and scopes of every
 * operation, auth, router and negotiate.test.ts in test/http/steps, and test/http/load/rate-limits.test.ts.
 */
const ALIKE_FOR_ALL = ['401', '403', '415', '429', 'default']

test.each(operationsOf(readOpenApi()))(
  '$id has tests for every status that it declares',
  async (operation) => {
    const { id, object } = operation
    const text = await readFile(new URL(`../operations/${id}.test.ts`, import.meta.url), 'utf8')
    const titles = Array.from(text.matchAll(/^\s*describe\('(\w+)/gm), ([, word]) => word)
    if (new RegExp(`describeRefusals\\(\\s*api,\\s*'${id}'`).test(text))
      titles.push(...refusedAlike(operation))
    const own = (statuses: (string | undefined)[]) =>
      new Set(statuses.filter((status) => !ALIKE_FOR_ALL.includes(status ?? '')))
    expect(own(titles)).toEqual(own(Object.keys(object.responses)))
  },
)
