import type { CodeScan } from '../../../domain/meaning/code-scan.js'
import { CodeTable } from '../../../domain/meaning/code-table.js'
import { CODE_WORDS } from '../../../domain/meaning/nearness.js'
import type { GraphId } from '../../../domain/model.js'
import type { Session } from '../connection/session.js'
import { CODE_BYTES, readCode } from './code-bytes.js'

/** One row of the answer for many codes: rows cost more than what is in them. */
const CODES = {
  name: 'codes',
  text: `SELECT array_agg(seq ORDER BY seq) AS seqs, string_agg(code, ''::bytea ORDER BY seq) AS codes FROM (
      SELECT seq, code FROM vectors WHERE graph_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) v`,
}
const AT_ONCE = 10_000

interface CodesRow {
  readonly seqs: readonly number[] | null
  readonly codes: Buffer | null
}

/** The codes of one generation of a graph, in the order of `seq`, as far as they were asked for. */
export class GraphCodes {
  readonly generation: number
  readonly #graphId: GraphId
  readonly #table = new CodeTable()
  readonly #seqs: number[] = []
  #loading: Promise<void> | undefined

  constructor(graphId: GraphId, generation: number) {
    this.#graphId = graphId
    this.generation = generation
  }

  get size(): number {
    return this.#seqs.length
  }

  /**
   * Loads what a session sees and others have not loaded yet, until there are `count` of them. Codes are only added within
   * a generation, and in order: the first `count` are those that the session sees, whatever others have loaded since.
   */
  async upTo(session: Session, count: number): Promise<void> {
    while (this.size < count && this.#loading !== undefined) await this.#loading.catch(() => undefined)
    if (this.size >= count) return
    this.#loading = this.#load(session)
    try {
      await this.#loading
    } finally {
      this.#loading = undefined
    }
  }

  /** Of the first `count`, the `seq` of at most `most` whose codes are nearest, among those that are admitted. */
  nearest(
    scan: CodeScan,
    vector: Int8Array,
    count: number,
    most: number,
    admits: (seq: number) => boolean = () => true,
  ): number[] {
    const seqs = this.#seqs
    return this.#table
      .candidates(scan, vector, most, (row) => row < count && admits(seqs[row] ?? 0))
      .map((row) => seqs[row] ?? 0)
  }

  async #load(session: Session): Promise<void> {
    const code = new Uint32Array(CODE_WORDS)
    for (let loaded = AT_ONCE; loaded === AT_ONCE; ) {
      const values = [this.#graphId, this.#seqs.at(-1) ?? 0, AT_ONCE]
      const { seqs, codes } = (await session.row<CodesRow>(CODES, values)) ?? { seqs: null, codes: null }
      loaded = seqs?.length ?? 0
      for (let i = 0; i < loaded; i++) {
        readCode(codes ?? EMPTY, i * CODE_BYTES, code)
        this.#table.putCode(this.size, code)
        this.#seqs.push(seqs?.[i] ?? 0)
      }
    }
  }
}

const EMPTY = Buffer.alloc(0)
