import { expect, test } from 'vitest'
import { finishDocs } from '../../scripts/finish-docs.js'

const built = `<head></head><body><div id="redoc"><a href="/tag/x">x</a><a href="/docs/trust">y</a></div><script>const a = '<a href="/">'</script></body>`

test('the documentation leads to the story, the explorer and the pages beside it; its other links stay within it', () => {
  const links = [...finishDocs(built).matchAll(/<a href="([^"]*)"/g)].map(([, target]) => target)
  expect(links).toEqual(['/docs/story', '/', '#/tag/x', '/docs/trust', '/'])
})

test('it has the icon of the explorer, so that no browser asks for one that is not there', () => {
  expect(finishDocs(built)).toContain(
    '<head><link rel="icon" type="image/svg+xml" href="/docs/icon.svg"></head>',
  )
})

test('Redoc does not try what the policy forbids', () => {
  const script = '<script>try{return e._factory??=Function(XDe),!0}catch{return!1}</script>'
  expect(finishDocs(script)).toBe('<script>try{return e._factory,!1}catch{return!1}</script>')
})

test('other scripts keep every byte but the address of the picture', () => {
  expect(finishDocs(built)).toContain(`<script>const a = '<a href="/">'</script>`)
})
