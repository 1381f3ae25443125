import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises'

/** The time in which an accepted connection must send its request; browsers open some in advance and send nothing. */
const firstRequestMs = 1_000
/** The maximum time to wait until no connections are pending. */
const maxAcceptMs = 2_000
/** The first quiet round may be the rest of one that has already accepted a connection; after several, nothing else is pending. */
const quietRounds = 4

/**
 * Returns a function that stops the server: it accepts no more connections, waits for running requests and for the requests of connections
 * just accepted, then closes those still open. A proxy cannot repeat a request sent over a connection that is closed at that time.
 */
export function prepareDrain(server: Server): (limitMs: number) => Promise<void> {
  const running = new Set<ServerResponse>()
  /** Connections that have sent no request yet. */
  const fresh = new Set<Socket>()
  let accepted = 0
  let isStopping = false
  server.on('connection', (socket: Socket) => {
    accepted += 1
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
    const endMs = performance.now() + limitMs
    await untilNoneWaits(() => accepted)
    // The close method of http.Server would close accepted connections whose request has not been read.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    const freshEndMs = performance.now() + firstRequestMs
    const isAwaited = (now: number) => (running.size > 0 && now < endMs) || (fresh.size > 0 && now < freshEndMs)
    while (isAwaited(performance.now())) await wait(20)
    server.closeAllConnections()
    await closed
  }
}

/**
 * Waits until no connection is pending in the kernel, because closing resets pending connections. Each round of the event loop accepts one,
 * so none was pending when a round without one began; the shorter the round, the fewer can have arrived since. The longer this takes, the
 * longer a round may be.
 */
async function untilNoneWaits(countAccepted: () => number): Promise<void> {
  const startMs = performance.now()
  let quiet = 0
  for (let now = startMs; quiet < quietRounds && now < startMs + maxAcceptMs;) {
    const [before, acceptedBefore] = [now, countAccepted()]
    await nextRound()
    now = performance.now()
    const limitMs = 0.1 + (now - startMs) / 200
    quiet = countAccepted() === acceptedBefore && now - before < limitMs ? quiet + 1 : 0
  }
}
