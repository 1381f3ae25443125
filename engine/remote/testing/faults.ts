import type { FakeServerHandler } from './fake-server.ts'

/** Handlers for every kind of server: their response does not depend on the request. */
export const respondTooManyRequests: FakeServerHandler<unknown> = (_, response) => {
  response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"Too many requests"}}')
}

export const respondEndlessly: FakeServerHandler<unknown> = (_, response) => {
  response.writeHead(200)
  const write = (): void => {
    while (response.writable && response.write('x'.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

/** Returns faults of servers of every kind, by name. Half a body is half of what `correctResponse` returns. */
export function commonFaults<Received>(
  correctResponse: (request: Received) => object,
): Record<string, FakeServerHandler<Received>> {
  return {
    'responds with 500': (_, response) => {
      response.writeHead(500).end('Internal Server Error')
    },
    'refuses every request': (_, response) => {
      response.writeHead(400).end('{"error":{"message":"unknown model"}}')
    },
    'responds with HTML': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
    },
    'responds with half a body': (request, response) => {
      const text = JSON.stringify(correctResponse(request))
      response.writeHead(200, { 'content-length': text.length })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
    },
    'ends half a body as if it were whole': (request, response) => {
      const text = JSON.stringify(correctResponse(request))
      response.writeHead(200).end(text.slice(0, text.length / 2))
    },
    hangs: () => {},
    'closes the connection': (_, response) => {
      response.destroy()
    },
  }
}

/** Responds with 503 and Retry-After once, then as `behave` does. */
export function busyOnce<Received>(behave: FakeServerHandler<Received>): FakeServerHandler<Received> {
  let isBusy = true
  return (request, response) => {
    if (!isBusy) return behave(request, response)
    isBusy = false
    response.writeHead(503, { 'retry-after': '1' }).end()
  }
}
