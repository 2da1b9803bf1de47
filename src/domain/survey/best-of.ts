/** The best few of many, in order; those that come first by `compare` are the best. */
export function bestOf<T>(items: Iterable<T>, most: number, compare: (a: T, b: T) => number): T[] {
  /** A heap with the worst on top. */
  const heap: T[] = []
  if (most <= 0) return heap
  for (const item of items) {
    if (heap.length < most) {
      heap.push(item)
      rise(heap, compare)
    } else if (compare(item, heap[0] as T) < 0) {
      heap[0] = item
      sink(heap, compare)
    }
  }
  return heap.sort(compare)
}

function rise<T>(heap: T[], compare: (a: T, b: T) => number): void {
  for (let child = heap.length - 1; child > 0; ) {
    const parent = (child - 1) >>> 1
    if (compare(heap[child] as T, heap[parent] as T) <= 0) return
    swap(heap, child, parent)
    child = parent
  }
}

function sink<T>(heap: T[], compare: (a: T, b: T) => number): void {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1
    if (left >= heap.length) return
    const right = left + 1
    const worse = right < heap.length && compare(heap[right] as T, heap[left] as T) > 0 ? right : left
    if (compare(heap[worse] as T, heap[parent] as T) <= 0) return
    swap(heap, worse, parent)
    parent = worse
  }
}

function swap<T>(heap: T[], a: number, b: number): void {
  const kept = heap[a] as T
  heap[a] = heap[b] as T
  heap[b] = kept
}
