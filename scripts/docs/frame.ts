/** What a page of the documentation is made of. */
export interface Parts {
  /** Its address, such as `/docs/trust`. */
  readonly path: string
  readonly title: string
  /** One sentence for search and for links. */
  readonly summary: string
  /** The text, as HTML. */
  readonly body: string
  /** The page to read next. */
  readonly next?: { readonly path: string; readonly title: string } | undefined
}

/** All that the pages lead to, in the order of reading. */
const PLACES = [
  ['/docs/story', 'Story'],
  ['/docs/tour', 'Tour'],
  ['/docs/trust', 'Trust'],
  ['/docs/time', 'Time'],
  ['/docs/confidence', 'Confidence'],
  ['/docs/meaning', 'Meaning'],
  ['/docs/for-agents', 'Agents'],
  ['/docs/cli', 'Terminal'],
  ['/docs/operations', 'Operations'],
  ['/docs/problems', 'Problems'],
  ['/docs', 'Reference'],
  ['/', 'Explorer'],
] as const

/** A whole page: nothing inline, nothing from another host. */
export function frame({ path, title, summary, body, next }: Parts): string {
  const links = PLACES.map(([to, name]) => `<a href="${to}"${current(to, path)}>${name}</a>`)
  const onward =
    next === undefined
      ? ''
      : `<p class="onward"><span>Next</span> <a href="${next.path}">${escaped(next.title)}</a></p>\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(summary)}">
<title>${escaped(title)} · Loregraph</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body class="guide">
<a class="skip" href="#text">Skip to the text</a>
<header class="bar">
<a class="brand" href="/docs/story">Loregraph</a>
<nav class="tabs-bar" aria-label="Documentation">${links.join('\n')}</nav>
</header>
<main id="text" tabindex="-1">
${body}${onward}</main>
</body>
</html>
`
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function current(to: string, path: string): string {
  if (to === path) return ' aria-current="page"'
  return to === '/docs/problems' && path.startsWith(`${to}/`) ? ' aria-current="true"' : ''
}
