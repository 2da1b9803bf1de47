/** Builds the explorer into `dist/explorer`: `npm run build:explorer`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = (place: string) => fileURLToPath(new URL(`../${place}`, import.meta.url))

export default defineConfig({
  root: pathOf('src/explorer'),
  base: '/explorer/',
  publicDir: false,
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
