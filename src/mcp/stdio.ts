import type { Readable, Writable } from 'node:stream'
import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { messageLines } from './message-lines.js'

interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
  /** Resolves when the process that started this one is gone. */
  readonly orphaned: Promise<void>
}

/** MCP over stdio, both eras; resolves when the other end is closed or gone. Nothing but messages is written to stdout. */
export async function serveLines(
  make: () => McpServer,
  { stdin, stdout, orphaned }: Streams,
  failed: (error: unknown) => void,
): Promise<void> {
  const lines = messageLines(stdin, (answer) => void stdout.write(`${JSON.stringify(answer)}\n`))
  const ended = new Promise<void>((resolve) => {
    lines.once('close', resolve)
    stdout.once('error', () => resolve())
    stdout.once('close', () => resolve())
  })
  const served = serveStdio(make, {
    transport: new StdioServerTransport(lines, stdout),
    onerror: failed,
  })
  await Promise.race([ended, orphaned])
  await served.close()
  stdin.destroy()
}
