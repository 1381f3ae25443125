import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises'

/** A connection that was made before the server stopped sends its request within this time; browsers open some in advance and send nothing. */
const firstRequestMs = 500
/** A round of the event loop that takes less had nothing to do: no connection has come since its last look. */
const quietRoundMs = 0.3
/** The first may be the rest of a round that has looked for connections already, and each accepts one. */
const quietRounds = 4
/** How long quiet rounds are waited for. */
const maxQuietWaitMs = 500

/**
 * Returns a function that stops the server: it accepts no more connections, waits for running requests, and for those of connections that it has
 * just accepted, then closes what is still open. A proxy cannot repeat a request that was sent over a connection which is closed then.
 */
export function prepareDrain(server: Server): (limitMs: number) => Promise<void> {
  const running = new Set<ServerResponse>()
  /** Connections that have sent no request yet. */
  const fresh = new Set<Socket>()
  let isStopping = false
  server.on('connection', (socket: Socket) => {
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    fresh.delete(request.socket)
    if (isStopping) response.setHeader('Connection', 'close')
    running.add(response)
    response.once('close', () => running.delete(response))
  })
  return async (limitMs) => {
    isStopping = true
    const startedAt = performance.now()
    const isWithin = (ms: number) => performance.now() < startedAt + ms
    await untilAccepted()
    // That of http.Server would close the accepted connections whose request has not been read.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    while ((running.size > 0 && isWithin(limitMs)) || (fresh.size > 0 && isWithin(firstRequestMs))) await wait(20)
    server.closeAllConnections()
    await closed
  }
}

/** Waits until all connections that wait in the kernel were accepted: closing resets those that were not. */
async function untilAccepted(): Promise<void> {
  const endMs = performance.now() + maxQuietWaitMs
  let quiet = 0
  while (quiet < quietRounds && performance.now() < endMs) {
    const before = performance.now()
    await nextRound()
    quiet = performance.now() - before < quietRoundMs ? quiet + 1 : 0
  }
}
