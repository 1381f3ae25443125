import type { StandInHandler } from './stand-in-server.ts'

/** Handlers fit for every kind of server: what they answer does not depend on what was asked. */
export const answerTooManyRequests: StandInHandler<unknown> = (_, response) => {
  response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"Too many requests"}}')
}

export const answerWithoutEnd: StandInHandler<unknown> = (_, response) => {
  response.writeHead(200)
  const write = (): void => {
    while (response.writable && response.write('x'.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

/** What servers of every kind do wrong, by name. Half of a body is half of what `rightAnswer` returns. */
export function commonFaults<Received>(
  rightAnswer: (request: Received) => object,
): Record<string, StandInHandler<Received>> {
  return {
    'answers HTTP 500': (_, response) => {
      response.writeHead(500).end('Internal Server Error')
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
    hangs: () => {},
    'closes the connection': (_, response) => {
      response.destroy()
    },
  }
}

/** Asks for patience once, then answers as `behave` does. */
export function busyOnce<Received>(behave: StandInHandler<Received>): StandInHandler<Received> {
  let isBusy = true
  return (request, response) => {
    if (!isBusy) return behave(request, response)
    isBusy = false
    response.writeHead(503, { 'retry-after': '1' }).end()
  }
}
