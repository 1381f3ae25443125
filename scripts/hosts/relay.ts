// relay.ts FROM TO: forwards connections. Each end is HOST:PORT or the path of a Unix socket. All network namespaces share Unix sockets, so
// a relay can put a database on a network that could not otherwise reach it.
import { connect, createServer, type Socket } from 'node:net'
import { parseSocketAddress } from './socket-address.ts'

const [from, to] = process.argv.slice(2)
if (!from || !to) throw new Error('usage: relay.ts FROM TO')
const server = createServer({ allowHalfOpen: true }, (client) => {
  const target: Socket = connect({ ...parseSocketAddress(to), allowHalfOpen: true })
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const) {
    one.setNoDelay()
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
    one.pipe(other)
  }
})
server.listen(parseSocketAddress(from), () => process.send?.('ready'))
process.on('disconnect', () => process.exit())
