import { forgetTokens } from '../search/text-analysis.js'
import { forgetSubjects } from './1-analyse/entry.js'
import { forgetReadings } from './1-analyse/reading.js'

/** Forgets everything that was remembered of texts to save time: after an erasure nothing of them may be left. */
export function forgetTexts(): void {
  forgetReadings()
  forgetSubjects()
  forgetTokens()
}
