import type { Features } from '../../src/domain/insight/3-rank/features.js'
import type { CalibrationModel } from '../../src/domain/insight/6-calibrate/confidence-features.js'
import { fitCalibration } from './calibrator.js'
import { isEveryday } from './everyday.js'
import type { Example } from './example.js'
import { measure, type Row } from './measure.js'
import { fitRanker } from './ranker.js'
import { isPlain } from './small-graphs.js'
import { isKeptAside, isMade } from './unanswerable.js'

export interface Models {
  readonly weights: Features
  readonly calibration: CalibrationModel
}

export function fitModels(examples: readonly Example[]): Models {
  const weights = fitRanker(examples.filter((example) => !isPlain(example)))
  return { weights, calibration: fitCalibration(examples, weights) }
}

/** Every graph answered by models that have not seen it; of what was made or is asked every day, what is kept aside. */
export async function crossValidate(examples: readonly Example[]): Promise<Row[]> {
  const graphs = [...new Set(examples.map(({ graphId }) => graphId))]
  const rows: Row[] = []
  for (const graph of graphs) {
    const { weights, calibration } = fitModels(examples.filter(({ graphId }) => graphId !== graph))
    for (const example of examples)
      if (example.graphId === graph && (isKeptAside(example) || !(isMade(example) || isEveryday(example))))
        rows.push(await measure(example, weights, calibration))
  }
  return rows
}
