import type { MeaningMode } from '../../config/meaning.js'
import { errorCode } from '../../domain/failure.js'
import { CodeScan } from '../../domain/meaning/code-scan.js'
import { toBytes } from '../../domain/meaning/nearness.js'
import { type MemoKind, TextCache } from '../../domain/text-cache.js'
import type { Logger } from '../../store/logger.js'
import type { Meaning } from '../../store/meaning.js'
import { EXIT_BROKEN, OpenError } from '../../store/open-error.js'
import { AnswerReadings } from './answer-readings.js'
import { checkModel, MODEL, type Model, ModelError } from './model-files.js'
import { ModelRunner } from './model-runner.js'
import { OnceRead, type Read } from './once-read.js'
import { hasSimd, loadScanProgram } from './program.js'

/** Embeds memories for a store in the background, and questions for requests before all else. */
export interface OpenMeaning extends Meaning {
  /** The vector as `toBytes` makes it; undefined when embedding fails, which is logged once. */
  vectorOf(text: string): Promise<Int8Array | undefined>
  /**
   * How well each text answers the question, as logits; undefined when one cannot be read. `by` is the key id
   * of the caller: keys take turns, and questions above the limit of a key reject with `overloaded`.
   */
  logitsOf(question: string, texts: readonly string[], by?: string): Promise<readonly number[] | undefined>
  /** Number of tasks that are not finished. */
  readonly waiting: number
  /** Rejects all waiting texts. */
  close(): Promise<void>
}

interface MeaningPorts {
  readonly log: Logger
  /** Caches vectors of questions and new events. An erasure clears it. */
  readonly texts?: TextCache
  readonly folder?: URL
  readonly simd?: boolean
}

/**
 * Checks the model; its weights are loaded with the first text. Resolves to undefined when reading for
 * meaning is off or impossible. A damaged installation is an `OpenError` with `on`, a warning with `auto`.
 */
export async function openMeaning(
  mode: MeaningMode,
  { log, texts = new TextCache(), folder = MODEL, simd = hasSimd() }: MeaningPorts,
): Promise<OpenMeaning | undefined> {
  if (mode === 'off') return undefined
  if (!simd) {
    log.warn(
      {},
      'This machine has no WebAssembly SIMD, which reading for meaning needs: found by words alone.',
    )
    return undefined
  }
  try {
    const [model, program] = await Promise.all([checkModel(folder), loadScanProgram()])
    return createMeaning(model, new CodeScan(program), texts, reporter(log, mode))
  } catch (cause) {
    const reason = cause instanceof ModelError ? cause.message : `${unusable(cause)}: install again.`
    if (mode === 'on')
      throw new OpenError(`${reason} Or find by words alone: LOREGRAPH_MEANING=off.`, EXIT_BROKEN, { cause })
    log.warn({ err: cause }, `${reason} Until then everything is found by words alone.`)
    return undefined
  }
}

/** Questions are often repeated, and an event embedded to find similar ones is soon embedded as a memory. */
const VECTORS: MemoKind<Read<Float32Array>> = { most: 1_000 }

function createMeaning(
  model: Model,
  scan: CodeScan,
  texts: TextCache,
  report: (error: unknown) => void,
): OpenMeaning {
  const runner = new ModelRunner(model)
  /** Only vectors that requests wait for, not those of the background, which take longer. */
  const urgent = new OnceRead(texts, VECTORS)
  let closing = false
  const reportAndThrow = (error: unknown): never => {
    if (!closing) report(error)
    throw error
  }
  const answers = new AnswerReadings(
    (question, unread, by) => runner.read(question, unread, by).map((logit) => logit.catch(reportAndThrow)),
    texts,
  )
  const encodeUrgently = async (text: string) => {
    const [vector] = await runner.encode([text], { urgent: true }).catch(reportAndThrow)
    if (vector === undefined) throw new Error('A text could not be read for meaning.')
    return vector
  }
  return {
    identity: model.identity,
    scan,
    async encode(wanted, options) {
      const cached = wanted.map((text) => urgent.get(text))
      const unread = wanted.filter((_, i) => cached[i] === undefined)
      const [encoded, vectors] = await Promise.all([
        runner.encode(unread, options).catch(reportAndThrow),
        Promise.all(cached),
      ])
      return vectors.map((vector, i) => {
        const result = cached[i] === undefined ? encoded.shift() : vector
        if (result === undefined) throw new Error('A text could not be read for meaning.')
        return result
      })
    },
    async vectorOf(text) {
      const vector = await (urgent.get(text) ?? urgent.put(text, encodeUrgently(text)))
      return vector && toBytes(vector)
    },
    async logitsOf(question, texts, by = '') {
      const logits = await answers.logitsOf(question, texts, by)
      return logits.every((logit) => logit !== undefined) ? logits : undefined
    },
    get waiting() {
      return runner.waiting
    },
    close() {
      closing = true
      return runner.close()
    },
  }
}

/** Logs each kind of error once, since a text that fails is tried again and again. */
function reporter(log: Logger, mode: MeaningMode): (error: unknown) => void {
  const reported = new Set<string>()
  return (error) => {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    if (reported.size === reported.add(name).size) return
    const line = `Texts cannot be read for meaning and are found by words alone: ${message}`
    if (mode === 'on') log.error({ err: error }, line)
    else log.warn({ err: error }, line)
  }
}

function unusable(cause: unknown): string {
  return `assembly/*.wasm cannot be used (${errorCode(cause) ?? cause})`
}
