import { respondTooManyRequests, respondEndlessly, commonFaults } from '#engine/remote/testing/faults.ts'
import { correctResponse } from './stand-in-server.ts'
import type { RequestHandler } from './stand-in-server.ts'

/** What servers do wrong, by name. */
export const faults: Record<string, RequestHandler> = {
  ...commonFaults(correctResponse),
  'answers HTTP 429 with Retry-After': respondTooManyRequests,
  'answers JSON that is no completion': (_, response) => {
    response.end('{"choices":"none"}')
  },
  'answers with empty choices': (request, response) => {
    response.end(JSON.stringify({ ...correctResponse(request), choices: [] }))
  },
  'answers with a content that is no text': (_, response) => {
    response.end('{"choices":[{"message":{"content":[{"type":"text","text":"Hi"}]},"finish_reason":"stop"}]}')
  },
  'answers bytes without end': respondEndlessly,
  'answers with a text without end': (_, response) => {
    const content = 'word '.repeat(200_000)
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  },
  'redirects elsewhere': (_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/v1/chat/completions' }).end()
  },
}
