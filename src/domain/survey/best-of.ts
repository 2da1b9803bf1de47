/** The best few of many, in order; those that come first by `compare` are the best. */
export function bestOf<T>(items: Iterable<T>, most: number, compare: (a: T, b: T) => number): T[] {
  const best = new Best(most, compare)
  for (const item of items) best.add(item)
  return best.inOrder()
}

/** The same of items that come one by one. */
export class Best<T> {
  readonly #most: number
  readonly #compare: (a: T, b: T) => number
  /** With the worst on top. */
  readonly #heap: T[] = []

  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most
    this.#compare = compare
  }

  add(item: T): void {
    const [heap, compare] = [this.#heap, this.#compare]
    if (this.#most <= 0) return
    if (heap.length < this.#most) {
      heap.push(item)
      rise(heap, compare)
    } else if (compare(item, heap[0] as T) < 0) {
      heap[0] = item
      sink(heap, compare)
    }
  }

  inOrder(): T[] {
    return this.#heap.toSorted(this.#compare)
  }
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
