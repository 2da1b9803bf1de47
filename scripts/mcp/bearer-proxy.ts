import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  readonly url: string
  stop(): void
}

/** A server on loopback that passes requests on as they came, Host and Origin too, with the secret added. */
export async function bearerProxy(target: string, secret: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req
    // Names of loopback are names of the service, whatever the port.
    const passed = { ...headers, authorization: `Bearer ${secret}` }
    const onward = request({ hostname, port, method, path, headers: passed }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
