/** Express as it comes, and one route that sends a text it was given. */
import type { AddressInfo } from 'node:net'
import express from 'express'

const PATH = '/v1/contexts/:graph_id/:context_type'

const app = express()
let bytes = ''
app.put(PATH, express.text({ type: '*/*' }), (req, res) => {
  bytes = req.body
  res.end()
})
app.get(PATH, (_req, res) => {
  res.type('application/json').send(bytes)
})
const server = app.listen(0, '127.0.0.1', () => {
  // The address of a server that listens on a port is never a string.
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
