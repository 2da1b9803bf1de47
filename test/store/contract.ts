import { describe } from 'vitest'
import { appendContract } from './contract/append.js'
import { asOfContract } from './contract/as-of.js'
import { browseContract } from './contract/browse.js'
import { concurrencyContract } from './contract/concurrency.js'
import { dryRunContract } from './contract/dry-run.js'
import { eraseContract } from './contract/erase.js'
import { exportContract } from './contract/export.js'
import { graphsContract } from './contract/graphs.js'
import { keysContract } from './contract/keys.js'
import { linksContract } from './contract/links.js'
import { meaningContract, readingContract } from './contract/meaning.js'
import { momentContract } from './contract/moment.js'
import { neighbourhoodContract } from './contract/neighbourhood.js'
import { onceContract } from './contract/once.js'
import { retrieveContract } from './contract/retrieve.js'
import { statementsContract } from './contract/statements.js'
import { surveyContract } from './contract/survey.js'
import { trustContract } from './contract/trust.js'
import { trustModelContract } from './contract/trust-model.js'
import type { OpenBench } from './support.js'

/** What every store promises (src/store/store.ts) that its log has a part in, as one suite; `runs` of each property. */
export function storeContract(name: string, open: OpenBench, runs: number): void {
  describe(`${name} keeps the promises of a store`, () => {
    appendContract(open)
    onceContract(open)
    graphsContract(open)
    trustModelContract(open, runs)
    meaningContract(open)
    concurrencyContract(open)
    eraseContract(open, runs)
    exportContract(open, runs)
    statementsContract(open)
    keysContract(open)
  })
}

/** What a graph answers, which is the same on every log: it is tested on one. */
export function answersContract(open: OpenBench, runs: number): void {
  describe('a store answers as it promises', () => {
    dryRunContract(open, runs)
    browseContract(open)
    linksContract(open)
    trustContract(open)
    retrieveContract(open)
    surveyContract(open, runs)
    neighbourhoodContract(open, runs)
    momentContract(open)
    readingContract(open)
    asOfContract(open, Math.ceil(runs / 5))
  })
}
