/**
 * A process of its own, so that it takes no time of who measures: it floods the service at a port of this machine with
 * wrong secrets, `DEPTH` requests under way on each connection, until it is stopped or has sent `MOST`.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

const MOST = 500_000

const [port, connections, depth] = process.argv.slice(2, 5).map(Number)
const invent = () => `lore_${randomBytes(24).toString('hex')}`
const same = invent()
const next = process.argv[5] === 'invented' ? invent : () => same
const request = () => `GET /v1/graphs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${next()}\r\n\r\n`
let sent = 0
const ask = (socket, count) => {
  sent += count
  if (sent < MOST) socket.write(Array.from({ length: count }, request).join(''))
}
for (let i = 0; i < connections; i++) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay()
  let rest = ''
  socket.on('connect', () => ask(socket, depth))
  socket.on('data', (chunk) => {
    const answers = (rest + chunk).split('HTTP/1.1 ')
    rest = answers.at(-1).slice(-8)
    if (answers.length > 1) ask(socket, answers.length - 1)
  })
  socket.on('error', () => {})
}
