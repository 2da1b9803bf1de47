import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export const CONTRACT = join(ROOT, 'openapi/openapi.yaml')

/** What is fetched or made for a run, and can be thrown away; git does not see it. */
export const CACHE = join(ROOT, '.cache')
