import type { GraphDetail } from '../state/types.js'
import { count, month, number } from '../state/words.js'

/** How a graph grew: all statements up to each month, as a surface. */
export function Growth({ months }: { months: GraphDetail['by_month'] }) {
  const filled = withGaps(months)
  let sum = 0
  const totals = filled.map(({ statements }) => {
    sum += statements
    return sum
  })
  const most = Math.max(...filled.map(({ statements }) => statements), 1)
  const width = 100 / filled.length
  const x = (index: number) => (index + 1) * width
  const line = totals.map((total, index) => `L${x(index)} ${100 - (total / Math.max(sum, 1)) * 94}`).join('')
  const [first, last] = [filled[0], filled.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <figure class="plot">
      <figcaption>Growth</figcaption>
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${count(sum, 'statement')} from ${month(first.month)} to ${month(last.month)}`}
      >
        <path class="plot-area" d={`M0 100${line}V100Z`} />
        <path class="plot-line" d={`M0 100${line}`} />
        {filled.map(({ month: at, statements }, index) => (
          <rect
            key={at}
            class="plot-bar"
            x={index * width + width * 0.2}
            width={width * 0.6}
            y={100 - (statements / most) * 45}
            height={(statements / most) * 45}
          >
            <title>
              {month(at)}: {count(statements, 'statement')}
            </title>
          </rect>
        ))}
      </svg>
      <p class="plot-ends">
        <span>{month(first.month)}</span>
        <span>{number(sum)} in all</span>
        {last !== first && <span>{month(last.month)}</span>}
      </p>
    </figure>
  )
}

interface SharesProps {
  readonly title: string
  readonly counts: Readonly<Record<string, number>>
  readonly names?: Readonly<Record<string, string>>
}

/** Parts of a whole as one bar, with their numbers below it. */
export function Shares({ title, counts, names = {} }: SharesProps) {
  const parts = Object.entries(counts).filter(([, value]) => value > 0)
  const whole = parts.reduce((sum, [, value]) => sum + value, 0)
  let x = 0
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <svg class="shares" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([name, value]) => {
          const width = (value / whole) * 100
          x += width
          return <rect key={name} class={`share tone-${name}`} x={x - width} width={width} height="10" />
        })}
      </svg>
      <ul class="shares-list">
        {parts.map(([name, value]) => (
          <li key={name}>
            <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
              <circle class={`share tone-${name}`} cx="5" cy="5" r="5" />
            </svg>
            {names[name] ?? name} <strong>{number(value)}</strong>{' '}
            <span class="muted">{Math.round((value / whole) * 100)} %</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** A line needs some length to show that something grows. */
const FEWEST_MONTHS = 6

/** A month in which nothing was recorded is a month, too; a thousand of them are not worth drawing. */
function withGaps(months: GraphDetail['by_month']): GraphDetail['by_month'] {
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return months
  const known = new Map(months.map((one) => [one.month, one.statements]))
  const filled: GraphDetail['by_month'] = []
  const at = new Date(`${first.month}-01T00:00:00Z`)
  const end = new Date(`${last.month}-01T00:00:00Z`)
  end.setUTCMonth(end.getUTCMonth() - FEWEST_MONTHS + 1)
  if (end < at) at.setTime(end.getTime())
  while (filled.length < 600) {
    const name = at.toISOString().slice(0, 7)
    filled.push({ month: name, statements: known.get(name) ?? 0 })
    if (name >= last.month) return filled
    at.setUTCMonth(at.getUTCMonth() + 1)
  }
  return months
}
