import { setImmediate as immediate } from 'node:timers/promises'
import { acceptBurst } from './accept-burst.js'

/** Yields to the event loop between slices of long work. During a burst, new connections are accepted first. */
export async function nextTurn(): Promise<void> {
  do await immediate()
  while (acceptBurst.isOn)
}
