/** Counts the turns of the event loop until it is stopped; `each` is called in every one. */
export function countTurns(each: () => void = () => undefined) {
  let turn = 0
  let next = setImmediate(function count() {
    turn++
    each()
    next = setImmediate(count)
  })
  return { now: () => turn, stop: () => clearImmediate(next) }
}
