import { expect, test } from 'vitest'
import { finishDocs } from '../../scripts/finish-docs.js'

const built = `<body><div id="redoc"><a href="/tag/x">x</a></div><script>const a = '<a href="/">'</script></body>`

test('the documentation leads to the explorer, and its other links stay within it', () => {
  const links = [...finishDocs(built).matchAll(/<a href="([^"]*)"/g)].map(([, target]) => target)
  expect(links).toEqual(['/', '#/tag/x', '/'])
})

test('scripts keep every byte but the address of the picture', () => {
  expect(finishDocs(built)).toContain(`<script>const a = '<a href="/">'</script>`)
})
