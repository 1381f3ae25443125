import { answerTooManyRequests, answerWithoutEnd, commonFaults } from '#engine/remote/testing/faults.ts'
import { rightAnswer } from './stand-in-server.ts'
import type { RequestHandler } from './stand-in-server.ts'

/** What servers do wrong, by name. */
export const faults: Record<string, RequestHandler> = {
  ...commonFaults(rightAnswer),
  'answers HTTP 429': answerTooManyRequests,
  'answers with times of another recording': (request, response) => {
    const right = rightAnswer(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 1000, end: 1005 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'answers with times that run backwards': (request, response) => {
    const right = rightAnswer(request)
    const segments = right.segments.map((segment) => ({ ...segment, start: 9, end: 2 }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  'answers without end': answerWithoutEnd,
  'answers with a text without end': (request, response) => {
    const right = rightAnswer(request)
    const segments = right.segments.map((segment) => ({ ...segment, text: 'word '.repeat(20_000) }))
    response.end(JSON.stringify({ ...right, segments }))
  },
}
