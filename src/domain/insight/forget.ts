import { forgetTokens } from '../analysis.js'
import { forgetContent } from '../content.js'
import { forgetSubjects } from './entry.js'
import { forgetReadings } from './reading.js'

/** Forgets everything that was remembered of texts to save time: after an erasure nothing of them may be left. */
export function forgetTexts(): void {
  forgetReadings()
  forgetSubjects()
  forgetTokens()
  forgetContent()
}
