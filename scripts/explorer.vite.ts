/** Builds the explorer into `dist/explorer`: `npm run build:explorer`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

// Tests that build what has changed say "test", and then Vite would put the paths of this machine into the page.
process.env['NODE_ENV'] = 'production'

const pathOf = (place: string) => fileURLToPath(new URL(`../${place}`, import.meta.url))

/** What becomes part of the built page, and whose terms ask to be passed on with it. */
const BUNDLED = ['preact', 'cytoscape', 'openapi-fetch']

const licenses: Plugin = {
  name: 'licenses',
  generateBundle() {
    const texts = BUNDLED.map(
      (name) => `${name}\n\n${readFileSync(pathOf(`node_modules/${name}/LICENSE`), 'utf8')}`,
    )
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: texts.join('\n\n') })
  },
}

export default defineConfig({
  root: pathOf('src/explorer'),
  base: '/explorer/',
  publicDir: false,
  plugins: [licenses],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: pathOf('dist/explorer'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows nothing inline.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Cytoscape, in a file of its own that is loaded with the first picture.
    chunkSizeWarningLimit: 600,
  },
})
