import type { ComponentChildren } from 'preact'
import type { Loaded } from '../state/load.js'
import type { Refusal } from '../state/refusal.js'

export interface Link {
  readonly href: string
  readonly label: string
}

interface NoticeProps {
  readonly title: string
  readonly children?: ComponentChildren
  readonly link?: Link | undefined
}

/** What is said in place of something that is not there, and where to go from here. */
export function Notice({ title, children, link }: NoticeProps) {
  return (
    <div class="notice">
      <p class="notice-title">{title}</p>
      {children}
      {link !== undefined && (
        <p>
          <LinkButton {...link} />
        </p>
      )}
    </div>
  )
}

/** A link that looks like a button. */
export function LinkButton({ href, label }: Link) {
  return (
    <a class="button" href={href}>
      {label}
    </a>
  )
}

interface FailedProps {
  readonly refusal: Refusal
  readonly back: Link | undefined
  retry(): void
}

/** Why there is nothing to see, in the words of the service, and a way on. */
function Failed({ refusal, back, retry }: FailedProps) {
  const title = refusal.isGone
    ? 'This is not here'
    : refusal.isUnreachable
      ? 'The service cannot be reached'
      : 'That did not work'
  return (
    <div class={refusal.isGone ? 'notice' : 'notice notice-failed'} role="alert">
      <p class="notice-title">{title}</p>
      <p>{refusal.message}</p>
      <p class="row">
        {back !== undefined && <LinkButton {...back} />}
        {!refusal.isGone && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  )
}

interface WhenLoadedProps<Data> {
  readonly loaded: Loaded<Data>
  readonly what: string
  readonly back?: Link
  readonly children: (data: Data) => ComponentChildren
}

/** Shows what was loaded; until then, or when it cannot be had, says so. */
export function WhenLoaded<Data>({ loaded, what, back, children }: WhenLoadedProps<Data>) {
  const { data, refusal, reload } = loaded
  if (refusal !== undefined && (data === undefined || refusal.isGone))
    return <Failed refusal={refusal} back={back} retry={reload} />
  if (data === undefined)
    return (
      <p class="loading" role="status">
        Loading {what} …
      </p>
    )
  return (
    <>
      {refusal !== undefined && (
        <p class="strip" role="status">
          {refusal.message}
        </p>
      )}
      {children(data)}
    </>
  )
}
