/** The value of a key; a new one that is added if the key has none. */
export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The list of a key in a map of lists; a new one that is added if the key has none. */
export function listOf<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  return getOrAdd(lists, key, () => [])
}

/** Adds a value to the set of a key in a map of sets. */
export function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  getOrAdd(sets, key, () => new Set()).add(value)
}

/** Adds a value to the set of a key, or removes it. */
export function mark<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value, isThere: boolean): void {
  if (isThere) addTo(sets, key, value)
  else removeFrom(sets, key, value)
}

/** Removes a value from the set of a key, and the key with its last value. */
export function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const known = sets.get(key)
  if (known?.delete(value) === true && known.size === 0) sets.delete(key)
}
