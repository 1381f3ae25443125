import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises'

/** A connection that was accepted sends its request within this time; browsers open some in advance and send nothing. */
const firstRequestMs = 1_000
/** How long a moment is waited for in which no connection waits to be accepted. */
const maxAcceptMs = 2_000
/** The first may be the rest of a round of the event loop that has accepted already; after several nothing else is due. */
const quietRounds = 4

/**
 * Returns a function that stops the server: it accepts no more connections, waits for running requests, and for those of connections that it has
 * just accepted, then closes what is still open. A proxy cannot repeat a request that was sent over a connection which is closed then.
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
    // That of http.Server would close the accepted connections whose request has not been read.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    const freshEndMs = performance.now() + firstRequestMs
    const isAwaited = (now: number) => (running.size > 0 && now < endMs) || (fresh.size > 0 && now < freshEndMs)
    while (isAwaited(performance.now())) await wait(20)
    server.closeAllConnections()
    await closed
  }
}

/**
 * Waits until no connection waits in the kernel to be accepted: closing resets those that do. Each round of the event loop accepts one, so none
 * waited when a round without one began; the shorter it was, the less can have come since. The longer this takes, the longer it may have been.
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
