import type { Lane, Thread } from '../state/timeline.js'

interface TrackProps {
  readonly thread: Thread
  readonly row: number
  /** How many steps the line of time has. */
  readonly steps: number
}

/** One row of the timeline: a bar for each lane, a dot for each statement, a line to what replaced it. */
export function Track({ thread, row, steps }: TrackProps) {
  const lanes = thread.rows[row] ?? []
  // Room for the dots at both ends, and for what still stands to go on to the right.
  const x = (step: number) => 2 + (Math.min(step / Math.max(steps - 1, 1), 1) || 0) * 83
  const y = (index: number) => ((index + 0.5) / lanes.length) * 100
  return (
    <div class="track">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {joints(thread, row, lanes, x, y)}
        {lanes.map((lane, index) => (
          <g
            key={lane.memory.memory_id}
            class={`lane tone-${lane.isDisputed ? 'disputed' : lane.memory.status}`}
          >
            <path
              class="lane-bar"
              d={`M${x(lane.from)} ${y(index)}H${lane.to === undefined ? 100 : x(lane.to)}`}
            />
            {lane.stated.map((step) => (
              <path key={step} class="lane-dot" d={`M${x(step)} ${y(index)}h0.001`} />
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

function joints(
  { rows, joints }: Thread,
  row: number,
  lanes: readonly Lane[],
  x: (step: number) => number,
  y: (index: number) => number,
) {
  const rowOf = (id: string) => rows.findIndex((lanes) => lanes.some(({ memory }) => memory.memory_id === id))
  const laneOf = (id: string) => lanes.findIndex(({ memory }) => memory.memory_id === id)
  return joints.map(({ replaced, by, at }) => {
    const [one, other] = [rowOf(replaced), rowOf(by)]
    const [top, bottom] = one < other ? [one, other] : [other, one]
    if (row < top || row > bottom || top === bottom) return null
    const ends = [replaced, by].map(laneOf).find((index) => index >= 0) ?? -1
    const from = row === top ? y(ends) : 0
    const to = row === bottom ? y(ends) : 100
    return <path key={`${replaced} ${by}`} class="joint" d={`M${x(at)} ${from}V${to}`} />
  })
}
