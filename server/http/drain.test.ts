import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDrain } from './drain.ts'

async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}

const request = 'POST / HTTP/1.1\r\nHost: awaz\r\nContent-Length: 0\r\n\r\n'

test('requests over connections that wait to be accepted when the server stops are answered, and the connections closed', async () => {
  const server = createServer((_request, response) => void response.end('served'))
  const drain = prepareDrain(server)
  const port = await listen(server)
  const sockets = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'))
  const answers = Promise.all(sockets.map((socket) => text(socket)))
  for (const socket of sockets) socket.write(request)
  await new Promise(process.nextTick) // the kernel has them now
  await drain(5_000)
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*served$/)
})

test('a connection that sends nothing, and a response that takes too long, do not hold up the stop', async () => {
  const server = createServer(() => undefined)
  const drain = prepareDrain(server)
  const port = await listen(server)
  const silent = connect(port, '127.0.0.1')
  const slow = connect(port, '127.0.0.1')
  slow.write(request)
  await once(server, 'request')
  await drain(1)
  expect([await text(silent), await text(slow)]).toEqual(['', ''])
})
