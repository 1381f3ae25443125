import { respondTooManyRequests, respondEndlessly, commonFaults } from '#engine/remote/testing/faults.ts'
import { correctResponse } from './fake-server.ts'
import type { RequestHandler } from './fake-server.ts'

/** Faults of servers, by name. */
export const faults: Record<string, RequestHandler> = {
  ...commonFaults(correctResponse),
  'responds with 429 and Retry-After': respondTooManyRequests,
  'responds with JSON that is no completion': (_, response) => {
    response.end('{"choices":"none"}')
  },
  'responds with empty choices': (request, response) => {
    response.end(JSON.stringify({ ...correctResponse(request), choices: [] }))
  },
  'responds with content that is no text': (_, response) => {
    response.end('{"choices":[{"message":{"content":[{"type":"text","text":"Hi"}]},"finish_reason":"stop"}]}')
  },
  'responds with endless bytes': respondEndlessly,
  'responds with an endless text': (_, response) => {
    const content = 'word '.repeat(200_000)
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  },
  'redirects elsewhere': (_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/v1/chat/completions' }).end()
  },
}
