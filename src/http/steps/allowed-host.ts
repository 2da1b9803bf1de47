import { isIPv4 } from 'node:net'
import type { Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'

const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/
const ABSOLUTE = /^https?:\/\/([^/?]*)/i

/**
 * Protects against DNS rebinding: a web page can make its own host name resolve to this machine, and the
 * browser then treats the service as part of that site. Such requests still carry that name. Hosts other than
 * loopback and `names` get 421. Without `names`, every host is allowed.
 */
export function allowedHost(names: readonly string[] | undefined): Step {
  if (names === undefined) return (_req, _res, next) => next()
  const allowed = new Set(names)
  const isAllowed = (authority: string) => {
    const host = hostOf(authority)
    return isLoopback(host) || allowed.has(host)
  }
  return (req, _res, next) => {
    // A missing Host is left to `request-head`; browsers always send it. An absolute target names a host,
    // too.
    for (const authority of [req.headers.host, ABSOLUTE.exec(req.url)?.[1]])
      if (authority !== undefined && !isAllowed(authority))
        throw new HttpFailure(
          'misdirected_request',
          'Host is not a name of this service. Its operator can add names to LOREGRAPH_ALLOWED_HOSTS.',
        )
    next()
  }
}

/** Removes the port, the brackets of an IPv6 address, and the dot at the end of a fully qualified name. */
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
