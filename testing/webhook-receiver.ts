import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/** A request that a webhook receiver got. */
export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface WebhookReceiver {
  port: number
  /** Address of the receiver on 127.0.0.1. */
  url: string
  /** In order of arrival. */
  requests: ReceivedRequest[]
  close(): Promise<void>
}

/** Starts an HTTP server like a customer's. `respond` answers each request, by default with 204. */
export async function startWebhookReceiver(
  respond: (response: ServerResponse, request: ReceivedRequest) => void = (response) => response.writeHead(204).end(),
): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const received = { path: request.url ?? '', headers: request.headers, body }
    requests.push(received)
    respond(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
