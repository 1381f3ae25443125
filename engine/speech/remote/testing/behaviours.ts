import { respondTooManyRequests, respondEndlessly, commonFaults } from '#engine/remote/testing/faults.ts'
import { correctResponse } from './stand-in-server.ts'
import type { RequestHandler } from './stand-in-server.ts'

/** Faults of servers, by name. */
export const faults: Record<string, RequestHandler> = {
  ...commonFaults(correctResponse),
  'answers HTTP 429': respondTooManyRequests,
  'answers with times of another recording': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 1000, end: 1005 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'answers with times that run backwards': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 9, end: 2 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'answers without end': respondEndlessly,
  'answers with a text without end': (request, response) => {
    const right = correctResponse(request)
    const segments = right.segments.map((segment) => ({ ...segment, text: 'word '.repeat(20_000) }))
    response.end(JSON.stringify({ ...right, segments }))
  },
}
