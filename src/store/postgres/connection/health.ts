import type { Health } from '../../health.js'
import type { Database } from './database.js'

const EVERY_MS = 2_000

/** Asks the database every `EVERY_MS`, so that a probe need not wait for it. */
export function watchHealth(database: Database): { current: () => Health; stop: () => void } {
  let health: Health = { writable: true }
  let isAsking = false
  const timer = setInterval(async () => {
    if (isAsking) return
    isAsking = true
    const reason = await database.trouble()
    health = reason === undefined ? { writable: true } : { writable: false, reason }
    isAsking = false
  }, EVERY_MS)
  timer.unref()
  return { current: () => health, stop: () => clearInterval(timer) }
}
