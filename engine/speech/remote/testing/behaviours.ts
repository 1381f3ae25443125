import { rightAnswer } from './stand-in-server.ts'
import type { RequestHandler } from './stand-in-server.ts'

/** What servers do wrong, by name. */
export const faults: Record<string, RequestHandler> = {
  'answers HTTP 500': (_, response) => {
    response.writeHead(500).end('Internal Server Error')
  },
  'answers HTTP 429': (_, response) => {
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
  'answers without end': (_, response) => {
    response.writeHead(200)
    const write = (): void => {
      while (response.writable && response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  },
  'answers with a text without end': (request, response) => {
    const right = rightAnswer(request)
    const segments = right.segments.map((segment) => ({ ...segment, text: 'word '.repeat(20_000) }))
    response.end(JSON.stringify({ ...right, segments }))
  },
  hangs: () => {},
  'closes the connection': (_, response) => {
    response.destroy()
  },
}
