/**
 * Renders the contract with Redoc into `dist/docs`: `npm run build:docs` runs it first. What Redocly prints is shown when it
 * fails: on success it is notices about Node and about Redoc, which no setting turns off, and `npm run lint:contract` reports
 * what is wrong with the contract.
 */
import { mustRun } from './proof/run.js'

const OUTPUT = ['--output', 'dist/docs/index.html', '--inlineBundle']

await mustRun('redocly', ['build-docs', 'openapi/openapi.yaml', ...OUTPUT])
