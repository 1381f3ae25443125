import { createServer, type RequestListener, type Server } from 'node:http'
import { limitConnections } from './connection-limit.ts'
import { limitSlowBody, type BodyLimits } from './slow-bodies.ts'

export interface HttpLimits extends BodyLimits {
  maxConnectionsPerAddress: number
}

/**
 * Longer than proxies and clients keep an idle connection (nginx 60 s), so that the sending side closes it: a request sent while the server
 * is closing the connection is lost.
 */
const keepAliveTimeoutMs = 75_000

interface HttpServerOptions {
  limits: HttpLimits
  /** The connections of a proxy are not limited; `limitConcurrentRequests` counts per client instead. */
  trustProxyHops: number
}

/**
 * Creates an HTTP server that disconnects clients which hold connections without sending anything: headers and bodies have a time limit,
 * uploads a minimum rate, and each address a maximum number of connections. Responses, including event streams, have no time limit.
 */
export function createHttpServer(listener: RequestListener, { limits, trustProxyHops }: HttpServerOptions): Server {
  const server = createServer(
    {
      headersTimeout: limits.bodyTimeoutMs,
      // Bodies have their own limits: see slow-bodies.ts.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(2_000, limits.bodyTimeoutMs / 2),
    },
    (request, response) => {
      limitSlowBody(request, response, limits)
      listener(request, response)
    },
  )
  if (trustProxyHops === 0) limitConnections(server, limits.maxConnectionsPerAddress)
  return server
}
