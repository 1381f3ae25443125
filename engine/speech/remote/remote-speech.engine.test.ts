import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { busyOnce } from '#engine/remote/testing/faults.ts'
import { startServerToKill } from '#engine/remote/testing/killed-server.ts'
import type { WindowResult } from '../window-result.ts'
import { decodeSampleCall } from '../testing/sample-call.ts'
import { openRemoteSpeech } from './remote-speech.ts'
import { faults } from './testing/behaviours.ts'
import { openTestPool, remoteSettings, transcribeRemotely } from './testing/remote-call.ts'
import { startFakeServer, transcribeByFingerprint } from './testing/fake-server.ts'
import type { RequestHandler, FakeServer } from './testing/fake-server.ts'

let workDir: string
let decoded: DecodedAudio
/** The result of a single server without faults. */
let expected: TranscriptionResult

async function startServer(behave?: RequestHandler): Promise<FakeServer> {
  const server = await startFakeServer(behave)
  onTestFinished(() => server.close())
  return server
}

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'awaz-remote-'))
  ;({ decoded } = await decodeSampleCall(workDir, { lineCount: 10 }))
  const server = await startFakeServer()
  const remote = openRemoteSpeech({ settings: remoteSettings([server.address]) })
  expected = await transcribeRemotely(decoded, remote)
  remote.close()
  await server.close()
})

afterAll(() => rm(workDir, { recursive: true, force: true }))

test('a call has one line per window', () => {
  expect(expected.segments.length).toBeGreaterThan(8)
  expect(new Set(expected.segments.map(({ text }) => text)).size).toBe(expected.segments.length)
})

test('the order of lines and of progress does not depend on which server is faster', async () => {
  const others = Promise.withResolvers<void>()
  const fast = await startServer(async (request, response) => {
    if (fast.seen.length === 4) others.resolve()
    return transcribeByFingerprint(request, response)
  })
  const slow = await startServer(async (request, response) => {
    await others.promise
    return transcribeByFingerprint(request, response)
  })
  const counts: number[] = []
  const saved: WindowResult[] = []
  const result = await transcribeRemotely(decoded, openTestPool([slow.address, fast.address]), {
    onProgress: ({ current_segment }) => counts.push(current_segment),
    checkpoint: { load: async () => [], save: async (window) => void saved.push(window) },
  })
  expect(result).toEqual(expected)
  expect(counts).toEqual(counts.map((_, index) => index))
  expect(saved).toHaveLength(counts.length - 1)
  expect(slow.seen.length).toBeGreaterThan(0)
  const hosts = [slow, fast].map(({ address }) => new URL(address).host)
  expect(new Set(saved.flatMap(({ engines }) => engines))).toEqual(new Set(hosts))
})

test.each(Object.entries(faults))('a call is complete when one of two servers %s', async (_, fault) => {
  const good = await startServer()
  const bad = await startServer(fault)
  const remote = openTestPool([bad.address, good.address], { settings: { timeoutMs: 1500 } })
  expect(await transcribeRemotely(decoded, remote)).toEqual(expected)
  const [failed] = remote.describe()
  expect(failed).toMatchObject({ completed: 0, last_error: { message: expect.any(String) } })
  expect(failed?.failed).toBeGreaterThan(0)
})

test('a call is complete when one of two servers is killed during a request', async () => {
  const good = await startServer()
  const { address, child } = await startServerToKill(join(import.meta.dirname, 'testing/fake-server-main.ts'))
  const remote = openTestPool([address, good.address])
  expect(await transcribeRemotely(decoded, remote)).toEqual(expected)
  expect(child.signalCode).toBe('SIGKILL')
  expect(remote.describe()[0]).toMatchObject({ is_reachable: false, completed: 0 })
})

test('a server that recovers is used again', async () => {
  const server = await startServer(busyOnce(transcribeByFingerprint))
  const remote = openTestPool([server.address])
  expect(await transcribeRemotely(decoded, remote)).toEqual(expected)
  expect(remote.describe()[0]).toMatchObject({ failed: 1, retry_at: null, is_reachable: true })
})

test('finished windows of an earlier attempt are not requested again', async () => {
  const server = await startServer()
  const saved: WindowResult[] = []
  await transcribeRemotely(decoded, openTestPool([server.address]), {
    checkpoint: { load: async () => [], save: async (window) => void saved.push(window) },
  })
  const before = server.seen.length
  const result = await transcribeRemotely(decoded, openTestPool([server.address]), {
    checkpoint: { load: async () => saved.slice(2), save: async () => {} },
  })
  expect(result).toEqual(expected)
  expect(server.seen.length - before).toBe(2)
})

test('a call fails with the errors of all servers when none can be used', async () => {
  const bad = await startServer(faults['responds with 500'])
  const stopped = await startServer()
  await stopped.close()
  const remote = openTestPool([bad.address, stopped.address], { giveUpAfterMs: 2000 })
  const failure = transcribeRemotely(decoded, remote)
  await expect(failure).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      new RegExp(
        `^No transcription server could be used for .*${bad.address}: HTTP 500; ${stopped.address}: .*ECONNREFUSED`,
      ),
    ),
  })
})

test('a call fails at once when every server refuses the request', async () => {
  const server = await startServer(faults['refuses every request'])
  await expect(transcribeRemotely(decoded, openTestPool([server.address]))).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('HTTP 400 (unknown model)'),
  })
})

test('cancelling closes the connections at once', async () => {
  const servers = [await startServer(faults.hangs), await startServer(faults.hangs)]
  const controller = new AbortController()
  const call = transcribeRemotely(decoded, openTestPool(servers.map(({ address }) => address)), {
    signal: controller.signal,
  })
  call.catch(() => undefined)
  await vi.waitFor(() => expect(servers.every(({ seen }) => seen.length === 1)).toBe(true), { timeout: 20_000 })
  const cancelledAt = performance.now()
  controller.abort()
  await expect(call).rejects.toMatchObject({ code: 'job_cancelled' })
  await vi.waitFor(() => expect(servers.every(({ connections }) => connections.size === 0)).toBe(true))
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
})

test('connects only to the configured servers, also when one redirects', async () => {
  const elsewhere = await startServer()
  const good = await startServer()
  const redirecting = await startServer((_, response) => {
    response.writeHead(307, { location: `${elsewhere.address}/v1/audio/transcriptions` }).end()
  })
  const ports = new Set<number | undefined>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket } // this channel's message type
    socket.on('connect', () => ports.add(socket.remotePort))
  }
  subscribe('net.client.socket', onSocket)
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket))
  const remote = openTestPool([redirecting.address, good.address])
  expect(await transcribeRemotely(decoded, remote)).toEqual(expected)
  expect(ports).toEqual(new Set([good.port, redirecting.port]))
  expect(elsewhere.seen).toEqual([])
  expect(remote.describe()[0]?.last_error?.message).toContain('redirects are not followed')
})

test('sends OpenAI-compatible requests with the key, which no message repeats', async () => {
  const key = 'sk-very-secret'
  const server = await startServer((request, response) => {
    if (server.seen.length > 1) return transcribeByFingerprint(request, response)
    response.writeHead(503).end(JSON.stringify({ error: { message: `The key ${key} is busy` } }))
  })
  const logged: object[] = []
  const remote = openTestPool([server.address], {
    settings: { key, model: 'large' },
    log: { warn: (entry: object) => void logged.push(entry) },
  })
  await transcribeRemotely(decoded, remote, { names: ['Kandahar'] })
  expect(server.seen[0]).toMatchObject({
    authorization: `Bearer ${key}`,
    fields: {
      model: ['whisper-1'],
      language: ['en'],
      prompt: ['Kandahar.'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['segment', 'word'],
    },
  })
  expect(server.seen[0]?.fields.temperature).toBeUndefined()
  expect(logged).toMatchObject([{ kind: 'faulty', reason: 'HTTP 503 (The key *** is busy)' }])
  expect(JSON.stringify(remote.describe())).not.toContain(key)
})

test('the server detects the language', async () => {
  const server = await startServer((request, response) => {
    response.end(JSON.stringify({ ...responseFor(request.fingerprint), language: 'persian' }))
  })
  const result = await transcribeRemotely(decoded, openTestPool([server.address]), { language: 'auto' })
  expect(result.detected_language).toBe('fa')
  expect(server.seen[0]?.fields.language).toBeUndefined()
  expect(server.seen.at(-1)?.fields.language).toEqual(['fa'])
})

function responseFor(fingerprint: string) {
  return { text: `Window ${fingerprint}` }
}
