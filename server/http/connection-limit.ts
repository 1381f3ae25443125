import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Context, Next } from 'koa'
import { AppError } from '#contract/app-error.ts'
import type { RequestState } from './context.ts'

const refusal =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Type: application/json\r\n\r\n' +
  '{"error":"Too many connections from your address. Please try again in a few seconds.","code":"unavailable"}'

/** Refuses connections from an address that already has `max` open, or half of all descriptors that this process may open. */
export function limitConnections(server: Server, max: number): void {
  const counter = createCounter(Math.min(max, Math.floor(maxDescriptors() / 2)))
  server.on('connection', (socket: Socket) => {
    const release = counter.acquire(socket.remoteAddress ?? '')
    if (release) socket.once('close', release)
    else refuse(socket)
  })
}

/**
 * Limits the concurrent requests from an address, including open event streams. This is the equivalent limit behind a proxy, whose
 * connections carry the requests of all clients. Throws `rate_limited`.
 */
export function limitConcurrentRequests(max: number) {
  const counter = createCounter(max)
  return async function countRequest(ctx: Context & { state: RequestState }, next: Next): Promise<void> {
    const release = counter.acquire(ctx.state.origin.ip)
    if (!release) throw new AppError('rate_limited', 'Too many requests. Please wait before trying again.')
    ctx.res.once('close', release)
    await next()
  }
}

function createCounter(max: number) {
  const open = new Map<string, number>()
  return {
    /** Returns a function that releases the slot, or undefined when `address` has none left. */
    acquire(address: string): (() => void) | undefined {
      const count = open.get(address) ?? 0
      if (count >= max) return undefined
      open.set(address, count + 1)
      return () => {
        const left = (open.get(address) ?? 1) - 1
        if (left > 0) open.set(address, left)
        else open.delete(address)
      }
    },
  }
}

function refuse(socket: Socket) {
  socket.on('error', () => undefined) // disconnected already
  socket.end(refusal, () => socket.destroy())
}

/** Returns the number of descriptors that this process may open; known only on Linux. */
function maxDescriptors(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
