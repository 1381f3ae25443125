import { subscribe } from 'node:diagnostics_channel'
import { errorMonitor, type EventEmitter } from 'node:events'
import { Socket } from 'node:net'

let isWatching = false

/**
 * Ends a wait of the MongoDB driver (7.8) that would never end. It waits for `drain` after a write that the socket did not take at
 * once and listens only to `error` while it waits; a socket that was closed without one, by the peer's end or by the driver's own
 * time limit, emits only `close`. The call then waits forever, and its connection stays checked out; if it was the monitor's, the
 * driver never checks the database again. A `drain` at the end of every socket lets the driver proceed to its own check, which
 * finds the connection closed. With an error it comes before the driver's own listener too: the driver would pass that error on as
 * it is (`write EPIPE`), neither treating the database as lost nor retrying a write that it may retry.
 */
export function wakeWritersOfClosedSockets(): void {
  if (isWatching) return
  isWatching = true
  subscribe('net.client.socket', (message) => {
    const socket = message && typeof message === 'object' && 'socket' in message ? message.socket : undefined
    if (!(socket instanceof Socket)) return
    const wake = () => socket.emit('drain')
    const events: EventEmitter = socket // the socket's own types know no errorMonitor
    events.once(errorMonitor, wake)
    events.once('close', wake)
  })
}
