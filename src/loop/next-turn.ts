import { setImmediate as immediate } from 'node:timers/promises'
import { acceptBurst } from './accept-burst.js'

/** For long work, between its slices: others have their turn, and connections that come in are accepted first. */
export async function nextTurn(): Promise<void> {
  do await immediate()
  while (acceptBurst.isOn)
}
