import { fstatSync, write, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

const GATHER_MS = 200
const GATHER_CHARS = 4096
const MAX_WAITING_CHARS = 1024 * 1024

export interface LogSink {
  /** Calls `done` later, with an error unless all of the text was written. */
  write(text: string, done: (error?: Error | null) => void): void
  /** Writes synchronously, in one attempt; throws when it fails. */
  writeNow(text: string): void
}

/**
 * Gathers log lines and writes them in the background. The service never waits for its log or fails because
 * of it: lines that cannot be written are dropped and counted.
 */
export class LogWriter {
  readonly #sink: LogSink
  #lines: string[] = []
  #chars = 0
  #isWriting = false
  #timer: NodeJS.Timeout | undefined
  /** Number of lines that could not be written. */
  dropped = 0

  constructor(sink: LogSink) {
    this.#sink = sink
  }

  write(line: string): void {
    if (this.#chars + line.length > MAX_WAITING_CHARS) {
      this.dropped++
      return
    }
    this.#lines.push(line)
    this.#chars += line.length
    if (this.#chars >= GATHER_CHARS) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  /** Starts to write the gathered lines, unless a write is running; that one continues with them. */
  flush(): void {
    if (this.#isWriting || this.#lines.length === 0) return
    const lines = this.#take()
    this.#isWriting = true
    this.#sink.write(lines.join(''), (error) => {
      this.#isWriting = false
      if (error) this.dropped += lines.length
      this.flush()
    })
  }

  /** For a process that is about to exit; pino calls it after a fatal line. */
  flushSync(): void {
    const lines = this.#take()
    try {
      this.#sink.writeNow(lines.join(''))
    } catch {
      this.dropped += lines.length
    }
  }

  #take(): readonly string[] {
    clearTimeout(this.#timer)
    const lines = this.#lines
    this.#timer = undefined
    this.#lines = []
    this.#chars = 0
    return lines
  }
}

const STDERR = 2

/** Never blocks: writes pipes and sockets through the stream, files and devices in the thread pool. */
export function stderrSink(stderr: Writable): LogSink {
  const kind = fstatSync(STDERR)
  const isStream = kind.isFIFO() || kind.isSocket()
  return {
    write: isStream ? (text, done) => void stderr.write(text, done) : fileWriter(),
    writeNow: (text) => void writeSync(STDERR, text),
  }
}

function fileWriter(): LogSink['write'] {
  let isTorn = false
  return (text, done) => {
    const bytes = Buffer.from(isTorn ? `\n${text}` : text)
    const writeFrom = (start: number) =>
      write(STDERR, bytes, start, (error, written) => {
        // A full disk may hold only the beginning of a line: the next write must start with a new line.
        isTorn = error === null ? false : isTorn || start > 0
        if (error !== null || start + written === bytes.length) done(error)
        else writeFrom(start + written)
      })
    writeFrom(0)
  }
}
