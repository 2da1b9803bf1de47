import type { Terminal } from './terminal.js'

export interface Progress {
  add(step: { readonly events?: number; readonly bytes?: number }): void
  /** Clears the bar. */
  end(): void
}

interface ProgressOptions {
  readonly label: string
  /** How many bytes there will be, when that is known. */
  readonly totalBytes?: number
  /** In lines, also where stderr is no terminal. */
  readonly lines: boolean
}

const UPDATE_INTERVAL_MS = 100
const BAR_WIDTH = 24

/** A bar where stderr is a terminal, lines where they are asked for, otherwise nothing. */
export function createProgress(
  { stderr, watched }: Terminal,
  { label, totalBytes, lines }: ProgressOptions,
): Progress {
  if (!watched && !lines) return { add() {}, end() {} }
  const started = performance.now()
  let events = 0
  let bytes = 0
  let lastShownAt = Number.NEGATIVE_INFINITY
  const show = (now: number) => {
    lastShownAt = now
    const figures = `${events.toLocaleString('en')} events, ${(bytes / 1e6).toFixed(1)} MB, ${((now - started) / 1000).toFixed(1)} s`
    const share = totalBytes === undefined ? undefined : Math.min(1, bytes / Math.max(1, totalBytes))
    const percent = share === undefined ? '' : `${String(Math.floor(share * 100)).padStart(3)} % `
    if (lines) stderr.write(`${label}: ${percent}${figures}\n`)
    else stderr.write(`\r${label} ${bar(share, now - started)} ${percent}${figures}\u001b[K`)
  }
  return {
    add(step) {
      events += step.events ?? 0
      bytes += step.bytes ?? 0
      const now = performance.now()
      if (now - lastShownAt >= UPDATE_INTERVAL_MS) show(now)
    },
    end() {
      if (lines) show(performance.now())
      else stderr.write('\r\u001b[K')
    },
  }
}

/** Filled as far as it is done; a moving block if the total is unknown. */
function bar(share: number | undefined, ms: number): string {
  if (share !== undefined) {
    const full = Math.round(share * BAR_WIDTH)
    return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`
  }
  const at = Math.floor(ms / UPDATE_INTERVAL_MS) % (BAR_WIDTH - 2)
  return `[${'-'.repeat(at)}###${'-'.repeat(BAR_WIDTH - 3 - at)}]`
}
