import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createStartingResponder } from './starting.ts'

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond)
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return `http://127.0.0.1:${port}`
}

test('a request that comes while the server starts is answered by the server, with its body', async () => {
  const starting = createStartingResponder()
  const arrived = Promise.withResolvers<void>()
  const url = await serve((request, response) => {
    starting.respond(request, response)
    arrived.resolve()
  })
  const answer = fetch(url, { method: 'POST', body: 'a keyword' })
  await arrived.promise
  starting.handOver((request, response) => void request.pipe(response))
  expect(await (await answer).text()).toBe('a keyword')
})

test('a start that takes long is answered with 503, and a migration at once', async () => {
  const slow = createStartingResponder({ waitMs: 1 })
  const refused = await fetch(await serve(slow.respond))
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5'])

  const starting = createStartingResponder()
  const url = await serve((request, response) => {
    starting.respond(request, response)
    starting.showMigration({ name: 'words', unit: 'recordings', done: 1, total: 2 })
  })
  for (const _ of ['begins', 'goes on']) expect((await fetch(url)).status).toBe(503)
})

test('whether the server lives is answered at once', async () => {
  const url = await serve(createStartingResponder().respond)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
})
