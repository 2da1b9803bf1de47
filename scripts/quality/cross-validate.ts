import type { Features } from '../../src/domain/insight/3-rank/features.js'
import type { CalibrationModel } from '../../src/domain/insight/6-calibrate/confidence-features.js'
import { fitCalibration } from './calibrator.js'
import type { Example } from './example.js'
import { measure, type Row } from './measure.js'
import { fitRanker } from './ranker.js'

export interface Models {
  readonly weights: Features
  readonly calibration: CalibrationModel
}

export function fitModels(examples: readonly Example[]): Models {
  const weights = fitRanker(examples)
  return { weights, calibration: fitCalibration(examples, weights) }
}

/** Every graph answered by models that have not seen it. */
export function crossValidate(examples: readonly Example[]): Row[] {
  const graphs = [...new Set(examples.map(({ graphId }) => graphId))]
  return graphs.flatMap((graph) => {
    const { weights, calibration } = fitModels(examples.filter(({ graphId }) => graphId !== graph))
    return examples
      .filter(({ graphId }) => graphId === graph)
      .map((example) => measure(example, weights, calibration))
  })
}
