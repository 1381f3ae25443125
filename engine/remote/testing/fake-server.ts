import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type FakeServerHandler<Received> = (request: Received, response: ServerResponse) => void | Promise<void>

export interface FakeServer<Received> {
  address: string
  port: number
  seen: Received[]
  /** Open connections. */
  connections: Set<Socket>
  close(): Promise<void>
}

interface FakeServerOptions<Received> {
  read(request: IncomingMessage, body: Buffer): Received | Promise<Received>
  behave: FakeServerHandler<Received>
}

/**
 * Starts a server on a free loopback port that responds as `behave` does, including in ways that a real server cannot be made to: late,
 * wrongly or not at all. Its list of models is always available.
 */
export async function createFakeServer<Received>({
  read,
  behave,
}: FakeServerOptions<Received>): Promise<FakeServer<Received>> {
  const seen: Received[] = []
  const connections = new Set<Socket>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[]}')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const received = await read(request, Buffer.concat(chunks))
    seen.push(received)
    await behave(received, response)
  })
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    seen,
    connections,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
