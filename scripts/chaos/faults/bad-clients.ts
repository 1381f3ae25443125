import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from './context.ts'

const slowBodies = 200
const slowUploads = 20
const silentReaders = 50
const attackMs = 6_000

/** Sends request bodies one byte at a time, from ten addresses. */
export const slowClients: Fault = async ({ product, bystander }) => {
  const brokenAtMs = performance.now()
  const sockets = [
    ...Array.from({ length: slowBodies }, (_, index) => sendSlowBody(product.url, index)),
    ...Array.from({ length: slowUploads }, (_, index) => sendSlowUpload(product.url, index, bystander.token())),
  ]
  await drip(sockets, attackMs)
  const cut = sockets.filter(({ destroyed }) => destroyed).length
  for (const socket of sockets) socket.destroy()
  return { what: `${sockets.length} slow clients (${cut} cut)`, brokenAtMs, healedAtMs: brokenAtMs }
}

/** Opens event streams and never reads them. */
export const silentClients: Fault = async ({ product, bystander }) => {
  const brokenAtMs = performance.now()
  const sockets = Array.from({ length: silentReaders }, (_, index) =>
    openSilentStream(product.url, index, bystander.token()),
  )
  await wait(attackMs)
  const cut = await countCut(sockets)
  for (const socket of sockets) socket.destroy()
  return { what: `${sockets.length} silent streams (${cut} cut)`, brokenAtMs, healedAtMs: brokenAtMs }
}

/** Counts the unread sockets that the server has closed, by reading them to their end. */
export async function countCut(sockets: Socket[]): Promise<number> {
  for (const socket of sockets) socket.resume()
  await wait(500)
  return sockets.filter(({ destroyed }) => destroyed).length
}

/** Starts a sign-in: the headers and the first bytes of its body. */
export function sendSlowBody(url: string, index: number): Socket {
  const head =
    'POST /api/auth/signin HTTP/1.1\r\nHost: awaz\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{'
  return open(url, index, head)
}

/** Starts an upload: the headers and the first bytes of its file. */
export function sendSlowUpload(url: string, index: number, token: string): Socket {
  const part = '--slow\r\nContent-Disposition: form-data; name="audio"; filename="slow.mp3"\r\n\r\nID3'
  const head =
    `POST /api/upload HTTP/1.1\r\nHost: awaz\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: multipart/form-data; boundary=slow\r\nContent-Length: 1000000\r\n\r\n${part}`
  return open(url, index, head)
}

/** Requests an event stream and does not read it. */
export function openSilentStream(url: string, index: number, token: string): Socket {
  const head = `GET /api/events HTTP/1.1\r\nHost: awaz\r\nAuthorization: Bearer ${token}\r\n\r\n`
  return open(url, index, head).pause()
}

/** Sends one byte per second on every open socket. */
export async function drip(sockets: Socket[], durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    await wait(1000)
    for (const socket of sockets) if (!socket.destroyed && socket.writable) socket.write(' ')
  }
}

/** Opens a socket from its own loopback address: 127.0.1.1 and following. */
function open(url: string, index: number, head: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.1.${1 + (index % 10)}` })
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.destroy())
  socket.on('connect', () => socket.write(head))
  socket.resume()
  return socket
}
