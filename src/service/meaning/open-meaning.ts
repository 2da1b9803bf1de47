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

/** What a store reads memories with, in the background, and what questions are read with, before everything else. */
export interface OpenMeaning extends Meaning {
  /** As `toBytes` makes it; undefined when the text cannot be read, which is logged once and no error of the caller. */
  vectorOf(text: string): Promise<Int8Array | undefined>
  /**
   * How far each of the texts answers the question, as logits; undefined when one cannot be read, as with `vectorOf`. `by`
   * is the id of the caller's key: keys have their turn one after the other, and of one that asks too much at once a
   * question is refused with `overloaded`.
   */
  logitsOf(question: string, texts: readonly string[], by?: string): Promise<readonly number[] | undefined>
  /** How many texts and pairs have been handed over and not been read yet. */
  readonly waiting: number
  /** Texts that wait are given up. */
  close(): Promise<void>
}

interface MeaningPorts {
  readonly log: Logger
  /** Where vectors of questions and new events are kept for a while; an erasure clears it. */
  readonly texts?: TextCache
  readonly folder?: URL
  readonly simd?: boolean
}

/**
 * Looks at the model without loading it: the weights are loaded with the first text. Undefined when nothing is to be read
 * for meaning. A damaged installation is an `OpenError` with `on`, and a warning with `auto`.
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
    return reading(model, new CodeScan(program), texts, reporter(log, mode))
  } catch (cause) {
    const reason = cause instanceof ModelError ? cause.message : `${unusable(cause)}: install again.`
    if (mode === 'on')
      throw new OpenError(`${reason} Or find by words alone: LOREGRAPH_MEANING=off.`, EXIT_BROKEN, { cause })
    log.warn({ err: cause }, `${reason} Until then everything is found by words alone.`)
    return undefined
  }
}

/** The same question is often asked again, and an event that was read to find others like it is soon read as a memory. */
const VECTORS: MemoKind<Read<Float32Array>> = { most: 1_000 }

function reading(
  model: Model,
  scan: CodeScan,
  texts: TextCache,
  report: (error: unknown) => void,
): OpenMeaning {
  const runner = new ModelRunner(model)
  /** Only what goes before everything else: nobody is to wait here for what is read in the background. */
  const urgent = new OnceRead(texts, VECTORS)
  let closing = false
  const reported = (error: unknown): never => {
    if (!closing) report(error)
    throw error
  }
  const answers = new AnswerReadings(
    (question, unread, by) => runner.read(question, unread, by).map((logit) => logit.catch(reported)),
    texts,
  )
  const firstOf = async (text: string) => {
    const [vector] = await runner.encode([text], { urgent: true }).catch(reported)
    if (vector === undefined) throw new Error('A text could not be read for meaning.')
    return vector
  }
  return {
    identity: model.identity,
    scan,
    async encode(wanted, options) {
      const before = wanted.map((text) => urgent.get(text))
      const unread = wanted.filter((_, i) => before[i] === undefined)
      const [read, others] = await Promise.all([
        runner.encode(unread, options).catch(reported),
        Promise.all(before),
      ])
      return others.map((vector, i) => {
        const own = before[i] === undefined ? read.shift() : vector
        if (own === undefined) throw new Error('A text could not be read for meaning.')
        return own
      })
    },
    async vectorOf(text) {
      const vector = await (urgent.get(text) ?? urgent.put(text, firstOf(text)))
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

/** Logs an error of each kind once: a text that could not be read is tried again and again. */
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
