import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** `count` is 1 for the first request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, count: number) => void

/** Starts a server for one file, which records its requests. */
export async function startModelServer(
  handler: RequestHandler,
): Promise<{ url: string; port: number; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response, requests.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/repo/ours.bin`, port, requests }
}
