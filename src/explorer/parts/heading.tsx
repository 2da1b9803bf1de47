import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Link } from './notice.js'

interface HeadingProps {
  readonly title: string
  readonly crumbs?: readonly Link[]
  readonly children?: ComponentChildren
  /** What stands beside the title. */
  readonly actions?: ComponentChildren
}

/** The title of a view, where it lies, and the title of the window. Takes the focus, so that keys go on from here. */
export function Heading({ title, crumbs = [], children, actions }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Loregraph`
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [title])
  return (
    <header class="heading">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Where you are">
          {crumbs.map(({ href, label }) => (
            <a href={href} key={href}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <div class="heading-line">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </header>
  )
}
