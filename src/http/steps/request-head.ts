import type { Received, Step } from '../pipeline/exchange.js'
import { encodingMistake, pathOf } from '../pipeline/target.js'
import { HttpFailure, invalidFields } from '../problems/problems.js'

const MAX_TARGET_LENGTH = 8192
const PRINTABLE = /^[\x21-\x7e]+$/
const ABSOLUTE = /^https?:\/\/[^/?]*/i
/** Headers that must not be repeated, since servers and proxies differ in which copy they use. */
const SINGLE_HEADERS = new Set(['host', 'authorization', 'content-type', 'content-length', 'idempotency-key'])
/** Compared first: much faster than to convert every name to lower case. */
const LENGTHS = new Set(Array.from(SINGLE_HEADERS, (name) => name.length))

/** Refuses malformed request lines and headers, before routing. */
export function requestHead(): Step<object, Pick<Received, 'path'>> {
  return (req, res, next) => {
    if (req.httpVersion === '1.1' && req.headers.host === undefined)
      throw invalidFields([{ path: '/headers/host', message: 'is required by HTTP/1.1' }])
    const repeated = repeatedHeader(req.rawHeaders)
    if (repeated !== undefined)
      throw invalidFields([{ path: `/headers/${repeated}`, message: 'must be given only once' }])
    const target = originForm(req.url)
    const path = pathOf(target)
    if (target !== '*' || req.method !== 'OPTIONS') checkTarget(target, path)
    if (target !== req.url) {
      req.url = target
      // The validator reads `originalUrl`.
      req.originalUrl = target
    }
    res.locals.path = path
    next()
  }
}

function checkTarget(target: string, path: string): void {
  if (target.length > MAX_TARGET_LENGTH)
    throw new HttpFailure('uri_too_long', `An address has at most ${MAX_TARGET_LENGTH} characters.`)
  if (!PRINTABLE.test(target) || target.includes('#') || !target.startsWith('/'))
    throw invalidFields([
      { path: '/path', message: 'must be an address with special characters percent-encoded' },
    ])
  const mistake = target.includes('%') ? encodingMistake(path) : undefined
  if (mistake !== undefined) throw invalidFields([{ path: '/path', message: mistake }])
}

/** `/path` for the absolute form `http://host/path`, which a proxy may send. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const absolute = ABSOLUTE.exec(target)
  if (absolute === null) return target
  const rest = target.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] ?? ''
    if (!LENGTHS.has(raw.length)) continue
    const name = raw.toLowerCase()
    if (!SINGLE_HEADERS.has(name)) continue
    if (seen.includes(name)) return name
    seen.push(name)
  }
  return undefined
}
