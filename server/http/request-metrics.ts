import type { ServerResponse } from 'node:http'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface AnsweredRequest {
  method: string
  /** Path template of the endpoint, `static` or `unknown`. */
  endpoint: string
  status: number
  seconds: number
}

export interface RequestMetrics {
  registry: Registry
  recordRequest: (request: AnsweredRequest) => void
  /** Counts a response as an open event stream until it closes. */
  recordStream: (response: ServerResponse) => void
}

/** Bounds for noticeable, slow and very slow responses, in seconds. */
const buckets = [0.1, 0.5, 2.5, 10]

/** Creates the metrics of requests to this server process, which start at 0 with the process. */
export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'awaz_http_requests_total',
    help: 'Answered requests; status 499 is a client that left',
    labelNames: ['method', 'endpoint', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'awaz_http_request_duration_seconds',
    help: 'Time until a response began, of each endpoint',
    labelNames: ['endpoint'],
    buckets,
    registers,
  })
  const streams = new Gauge({
    name: 'awaz_event_streams',
    help: 'Open event streams: browsers that show Awaz',
    registers,
  })
  return {
    registry,
    recordRequest({ method, endpoint, status, seconds }) {
      requests.inc({ method, endpoint, status })
      durations.observe({ endpoint }, seconds)
    },
    recordStream(response) {
      if (response.destroyed) return
      streams.inc()
      response.once('close', () => streams.dec())
    },
  }
}
