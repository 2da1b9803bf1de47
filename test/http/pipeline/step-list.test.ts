import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import type { Step } from '../../../src/http/pipeline/exchange.js'
import { StepList } from '../../../src/http/pipeline/step-list.js'
import { validationAmong } from '../../../src/http/validation/validator.js'
import { expectProblem } from '../../support/problem.js'
import { startTestServer } from '../../support/server.js'

const throwing: Step = () => {
  throw undefined
}

test.each<[string, Step]>([
  ['throws undefined', throwing],
  ['rejects with undefined', () => Promise.reject()],
])('500: a step that %s; the next one does not run', async (_name, step) => {
  let ran = false
  const steps = new StepList().add(step).add((_req, _res, next) => {
    ran = true
    next()
  })
  const server = express()
    .set('env', 'test')
    .use(...steps.middleware)
    .listen(0)
  await once(server, 'listening')
  // The address of a server that listens on a port is never a string.
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500)
  expect(ran).toBe(false)
  server.close()
})

test('500: a handler that throws undefined before it returns', async () => {
  const server = await startTestServer({
    handlers: {
      listGraphs() {
        throw undefined
      },
    },
  })
  await expectProblem(await server.fetch('/v1/graphs'), 500, 'internal_error')
  await server.stop()
})

test('the start is refused when the validator has no step by the name that is known', () => {
  const step = { name: 'requestMiddleware' }
  expect(validationAmong([{ name: 'metadataMiddleware' }, step, { name: 'responseMiddleware' }])).toBe(step)
  expect(() => validationAmong([{ name: 'metadataMiddleware' }])).toThrow('no step named requestMiddleware')
})
