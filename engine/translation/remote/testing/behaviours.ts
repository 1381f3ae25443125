import { rightAnswer } from './stand-in-server.ts'
import type { RequestHandler } from './stand-in-server.ts'

/** What servers do wrong, by name. */
export const faults: Record<string, RequestHandler> = {
  'answers HTTP 500': (_, response) => {
    response.writeHead(500).end('Internal Server Error')
  },
  'answers HTTP 429 with Retry-After': (_, response) => {
    response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"Too many requests"}}')
  },
  'refuses every request': (_, response) => {
    response.writeHead(400).end('{"error":{"message":"unknown model"}}')
  },
  'answers HTML': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  },
  'answers half a body': (request, response) => {
    const text = JSON.stringify(rightAnswer(request))
    response.writeHead(200, { 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  },
  'ends half a body as if it were whole': (request, response) => {
    const text = JSON.stringify(rightAnswer(request))
    response.writeHead(200).end(text.slice(0, text.length / 2))
  },
  'answers JSON that is no completion': (_, response) => {
    response.end('{"choices":"none"}')
  },
  'answers with empty choices': (request, response) => {
    response.end(JSON.stringify({ ...rightAnswer(request), choices: [] }))
  },
  'answers with a content that is no text': (_, response) => {
    response.end('{"choices":[{"message":{"content":[{"type":"text","text":"Hi"}]},"finish_reason":"stop"}]}')
  },
  'answers bytes without end': (_, response) => {
    response.writeHead(200)
    const write = (): void => {
      while (response.writable && response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  },
  'answers with a text without end': (_, response) => {
    const content = 'word '.repeat(200_000)
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  },
  'redirects elsewhere': (_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/v1/chat/completions' }).end()
  },
  hangs: () => {},
  'closes the connection': (_, response) => {
    response.destroy()
  },
}
