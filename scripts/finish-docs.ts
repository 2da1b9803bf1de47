const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g
/** The name in the place of the picture, which would come from another host. */
const OWN_LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='34' height='12'%3E%3Ctext y='10' font-family='sans-serif' font-size='10' fill='%23333'%3ERedoc%3C/text%3E%3C/svg%3E"
/** Redoc tries whether it may make a function of a text, which the policy forbids and reports; it is told that it may not. */
const EVAL_PROBE = /_factory\?\?=Function\(\w+\),!0/g
const SCRIPTS = /(<script(?:\s[^>]*)?>[\s\S]*?<\/script>)/

const BODY = '<div id="redoc"'
const HEAD = '<head>'
const ICON = '<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">'
const CORNER = 'position:fixed;bottom:8px;right:18px;z-index:5;display:flex;gap:8px'
const BUTTON =
  'padding:6px 14px;border:1px solid #0f6b66;border-radius:8px;background:#fff;color:#0f6b66;font:15px system-ui,sans-serif'
/** Redoc has no place for links of ours; these stay in the corner, where nothing else is. */
const OWN_LINKS = `<nav aria-label="Loregraph" style="${CORNER}"><a href="/docs/story" style="${BUTTON}">Story</a><a href="/" style="${BUTTON}">Explorer</a></nav>`
/** Links of Redoc to its own sections, but none to the pages beside it. */
const TO_SECTION = / href="\/(?!docs\/)/g

/**
 * The built page without the one picture that it would load and the one probe that its policy would report, with links
 * that also work in a new window, and with those to the story and the explorer.
 */
export function finishDocs(html: string): string {
  return html
    .split(SCRIPTS)
    .map((part) =>
      part.startsWith('<script')
        ? part.replace(LOGO, OWN_LOGO).replace(EVAL_PROBE, '_factory,!1')
        : part.replaceAll(TO_SECTION, ' href="#/'),
    )
    .join('')
    .replace(BODY, `${OWN_LINKS}${BODY}`)
    .replace(HEAD, `${HEAD}${ICON}`)
}
