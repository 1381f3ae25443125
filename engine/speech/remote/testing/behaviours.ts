import { respondTooManyRequests, respondEndlessly, commonFaults } from '#engine/remote/testing/faults.ts'
import { correctResponse } from './fake-server.ts'
import type { RequestHandler } from './fake-server.ts'

/** Faults of servers, by name. */
export const faults: Record<string, RequestHandler> = {
  ...commonFaults(correctResponse),
  'responds with 429': respondTooManyRequests,
  'responds with times of another recording': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 1000, end: 1005 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'responds with descending times': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 9, end: 2 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'responds endlessly': respondEndlessly,
  'responds with an endless text': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, text: 'word '.repeat(20_000) }))
    response.end(JSON.stringify({ ...right, segments }))
  },
}
