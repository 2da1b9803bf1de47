import { day, minute, STATUS } from '../state/words.js'

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={minute(at)}>
      {day(at)}
    </time>
  )
}

export function Status({ status }: { status: keyof typeof STATUS }) {
  return <span class={`mark tone-${status}`}>{STATUS[status]}</span>
}

/** A figure from 0 to 1, as a number and as a length. */
export function Trust({ value, of = 'Confidence' }: { value: number; of?: string }) {
  const percent = Math.round(value * 100)
  return (
    <span class="trust">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="trust-all" width="100" height="8" />
        <rect class="trust-part" width={percent} height="8" />
      </svg>
      <span>
        {of} {value.toFixed(2)}
      </span>
    </span>
  )
}
