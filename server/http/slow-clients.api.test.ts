import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#testing/server.ts'
import { listAudioFiles, makeDialogue, upload } from '#testing/uploads.ts'

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function start(config: TestServerOptions['config'] = {}): Promise<TestServer> {
  const server = await startTestServer({ config, isEachUploadMeasured: true })
  running.push(server)
  return server
}

interface SlowClient {
  socket: Socket
  received: () => string
  /** Resolves with the duration of the connection in milliseconds. */
  closed: Promise<number>
}

/** Sends `head` at once and then a byte every `everyMs`. */
async function sendSlowly(server: TestServer, head: string, everyMs?: number): Promise<SlowClient> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  const startedAt = performance.now()
  let drip: NodeJS.Timeout | undefined
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => {
      clearInterval(drip)
      resolve(performance.now() - startedAt)
    }),
  )
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.write(head)
  if (everyMs !== undefined) drip = setInterval(() => socket.write(' '), everyMs)
  return { socket, received: () => received, closed }
}

function head(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

const slowSignIn = `${head('/api/auth/signin', { 'Content-Type': 'application/json', 'Content-Length': 500 })}{`
const uploadHead = (token: string) =>
  head('/api/upload', {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'multipart/form-data; boundary=edge',
    'Content-Length': 5_000_000,
  }) +
  '--edge\r\nContent-Disposition: form-data; name="audio"; filename="slow.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF'

function countSockets(): number {
  return readdirSync('/proc/self/fd').length
}

const slowClientCount = roundCount(1000)

test(
  `ends ${slowClientCount} sign-ins sent a byte at a time with 408 and frees their descriptors, while others sign in`,
  { tags: ['rounds'] },
  async () => {
    const server = await start({ http: { bodyTimeoutMs: 6_000 } })
    const user = await server.createUser()
    const before = countSockets()
    const clients = await Promise.all(
      Array.from({ length: slowClientCount }, () => sendSlowly(server, slowSignIn, 500)),
    )
    const body = { email: user.email, password: user.password }
    expect((await server.call(api.auth.signIn, { body })).status).toBe(200)
    expect(clients.every(({ socket }) => !socket.closed)).toBe(true)
    const times = await Promise.all(clients.map(({ closed }) => closed))
    expect(Math.max(...times)).toBeLessThan(15_000)
    const responses = clients.map(({ received }) => received())
    expect(responses.filter((response) => !/^HTTP\/1.1 408 .*"code":"request_timeout"/s.test(response))).toEqual([])
    expect(responses[0]).toMatch(/^Connection: close\r$/m)
    await vi.waitFor(() => expect(countSockets()).toBeLessThan(before + 50))
  },
)

test.each([
  ['headers that never end', 'POST /api/auth/signin HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['nothing at all', ''],
])('closes a connection that sends %s', async (_, text) => {
  const server = await start({ http: { bodyTimeoutMs: 500 } })
  const { closed } = await sendSlowly(server, text)
  expect(await closed).toBeLessThan(5_000)
})

test('disconnects a client whose slow body no handler reads', async () => {
  const server = await start({ http: { bodyTimeoutMs: 500 } })
  const { received, closed } = await sendSlowly(server, head('/api/nothing', { 'Content-Length': 5_000_000 }), 50)
  expect(await closed).toBeLessThan(5_000)
  expect(received()).toMatch(/^HTTP\/1.1 404 /)
})

test('gives a body that anybody may send no more time than others, whatever its transport', async () => {
  const server = await start({ http: { bodyTimeoutMs: 500, uploadStallMs: 60_000 } })
  const path = api.sso.backChannelLogout.path.replace(':id', 'a'.repeat(24))
  const { received, closed } = await sendSlowly(server, head(path, { 'Content-Length': 60_000 }), 50)
  expect(await closed).toBeLessThan(5_000)
  expect(received()).toMatch(/^HTTP\/1.1 408 /)
})

test('ends a stalled and a very slow upload with 408, and stores nothing of them', async () => {
  const server = await start({ http: { bodyTimeoutMs: 500, uploadStallMs: 1_000 } })
  const { accessToken: token } = await server.createSignedIn()
  const clients = [
    await sendSlowly(server, uploadHead(token)),
    await sendSlowly(server, uploadHead(token), 100),
    await sendSlowly(server, uploadHead('not-signed-in'), 100),
  ]
  for (const { closed } of clients) expect(await closed).toBeLessThan(10_000)
  const statuses = clients.map(({ received }) => received().slice(9, 12))
  expect(statuses).toEqual(['408', '408', '401'])
  await vi.waitFor(async () => expect(await listAudioFiles(server)).toEqual([]))
})

test('lets an upload at the minimum rate take as long as it needs', async () => {
  const server = await start({ http: { bodyTimeoutMs: 300, uploadStallMs: 400, uploadMinBytesPerSecond: 20_000 } })
  const { accessToken: token } = await server.createSignedIn()
  const form = new FormData()
  form.append('audio', new Blob([makeDialogue()]), 'call.wav')
  const whole = new Response(form)
  const bytes = Buffer.from(await whole.arrayBuffer())
  const type = whole.headers.get('Content-Type') ?? ''
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Content-Length': bytes.length }
  const { socket, received } = await sendSlowly(server, head('/api/upload', headers))
  // 128 KB at twice the minimum rate: 3 s, ten times the limit of any other body.
  for (let at = 0; at < bytes.length; at += 4_000) {
    socket.write(bytes.subarray(at, at + 4_000))
    await sleep(100)
  }
  await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1.1 201 /), { timeout: 20_000 })
})

test('applies the time limit of bodies neither to event streams nor to slow responses', async () => {
  const server = await start({ http: { bodyTimeoutMs: 200, uploadStallMs: 200 } })
  const { accessToken: token } = await server.createSignedIn()
  const get = `GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const { socket, received } = await sendSlowly(server, get)
  await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1.1 200 /))
  // Probing an upload takes several times 200 ms.
  expect((await upload(server, token, { name: 'call.wav', content: makeDialogue() })).status).toBe(201)
  expect(socket.closed).toBe(false)
})

test('refuses connections above the limit of an address until others are closed', async () => {
  const server = await start({ http: { maxConnectionsPerAddress: 5 } })
  const clients = []
  for (let n = 0; n < 5; n += 1) clients.push(await sendSlowly(server, slowSignIn))
  const refused = await sendSlowly(server, slowSignIn)
  await refused.closed
  expect(refused.received()).toMatch(/^HTTP\/1.1 503 .*"code":"unavailable"/s)
  for (const { socket } of clients) socket.destroy()
  await vi.waitFor(async () => expect((await fetch(server.url + api.system.health.path)).ok).toBe(true))
})

test('counts clients instead of the proxy behind a proxy', async () => {
  const server = await start({ trustProxyHops: 1, http: { maxConnectionsPerAddress: 5 } })
  const from = (ip: string) => slowSignIn.replace('Host: x', `Host: x\r\nX-Forwarded-For: ${ip}`)
  for (let n = 0; n < 5; n += 1) await sendSlowly(server, from('203.0.113.9'))
  const config = (ip: string) => server.call(api.system.config, { headers: { 'X-Forwarded-For': ip } })
  await vi.waitFor(async () => expect((await config('203.0.113.9')).status).toBe(429))
  for (let n = 0; n < 8; n += 1) expect((await config('198.51.100.7')).status).toBe(200)
})
