import { createServer, type RequestListener, type Server } from 'node:http'
import { limitConnections } from './connection-limit.ts'
import { limitSlowBody, type BodyLimits } from './slow-bodies.ts'

export interface HttpLimits extends BodyLimits {
  maxConnectionsPerAddress: number
}

interface HttpServerOptions {
  limits: HttpLimits
  /** Behind a proxy its connections are not limited: `limitConcurrentRequests` counts by client. */
  trustProxyHops: number
}

/**
 * The HTTP server, which cuts clients that hold connections and send nothing: headers and bodies have their time, uploads a least
 * rate, each address a number of connections. Answers, event streams among them, may take as long as they do.
 */
export function createHttpServer(listener: RequestListener, { limits, trustProxyHops }: HttpServerOptions): Server {
  const server = createServer(
    {
      headersTimeout: limits.bodyTimeoutMs,
      // Bodies have limits of their own, by kind.
      requestTimeout: 0,
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
