import { isIPv4 } from 'node:net'
import type { Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/
const ABSOLUTE = /^https?:\/\/([^/?]*)/i

/**
 * Answers requests for a loopback name or address and for the names given; any other gets 421. A web page can make its
 * own name lead to this machine (DNS rebinding), and its browser then takes the service for a part of that site; but the
 * requests still carry that name. Without names to hold them against, requests for any host are answered.
 */
export function allowedHost(names: readonly string[] | undefined): Step {
  if (names === undefined) return (_req, _res, next) => next()
  const allowed = new Set(names)
  const isAllowed = (authority: string) => {
    const host = hostOf(authority)
    return isLoopback(host) || allowed.has(host)
  }
  return (req, _res, next) => {
    // No browser leaves Host out; where HTTP/1.1 requires it, `request-head` does. A target with a host of its own counts, too.
    for (const authority of [req.headers.host, ABSOLUTE.exec(req.url)?.[1]])
      if (authority !== undefined && !isAllowed(authority))
        throw new HttpFailure(
          'misdirected_request',
          'Host is not a name of this service. Its operator can add names to LOREGRAPH_ALLOWED_HOSTS.',
        )
    next()
  }
}

/** Without the port, the brackets of an IPv6 address and the dot at the end of a full name. */
function hostOf(authority: string): string {
  const host = AUTHORITY.exec(authority)?.[1] ?? ''
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
