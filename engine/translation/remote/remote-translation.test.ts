import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { remoteTranslationModels } from '#engine/models/remote-models.ts'
import { busyOnce } from '#engine/remote/testing/faults.ts'
import { startServerToKill } from '#engine/remote/testing/killed-server.ts'
import type { SavedTranslation } from '../translation-memory.ts'
import { faults } from './testing/behaviours.ts'
import { openTestPool, persianLines, remoteSettings, startServer, translateRemotely } from './testing/remote-lines.ts'
import { numberedSentence, translateByPattern } from './testing/fake-server.ts'

const lines = persianLines(6)
const expected = lines.map(({ text }, index) =>
  expect.objectContaining({ text, translated_text: numberedSentence(index + 10), error: null }),
)

test('each line is translated once, in order', async () => {
  const server = await startServer()
  const remote = openTestPool([server.address])
  expect(await translateRemotely(lines, remote)).toEqual(expected)
  expect(server.seen).toHaveLength(lines.length)
  expect(remote.describe()).toMatchObject([
    { completed: 6, failed: 0, models: ['gemma'], real_time_factor: null, tokens_per_second: expect.any(Number) },
  ])
})

test('provenance names the host, and no hash of the remote weights', async () => {
  const server = await startServer()
  const { translation } = remoteTranslationModels(remoteSettings([server.address]))
  const translator = openTestPool([server.address]).use(translation)
  await translator.complete('سلام', { source: 'fa', target: 'en' })
  expect(translator.provenance()).toMatchObject({
    model_name: 'gemma',
    model_hash: null,
    engine: new URL(server.address).host,
    engine_version: null,
  })
})

test.each(Object.entries(faults))('a job is whole when one of two servers %s', async (_, fault) => {
  const good = await startServer()
  const bad = await startServer(fault)
  const remote = openTestPool([bad.address, good.address], { settings: { timeoutMs: 1000 } })
  expect(await translateRemotely(lines, remote)).toEqual(expected)
  const [failed] = remote.describe()
  expect(failed).toMatchObject({ completed: 0, last_error: { message: expect.any(String) } })
  expect(failed?.failed).toBeGreaterThan(0)
  expect(good.seen.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
})

test('a redirect is not followed', async () => {
  const elsewhere = await startServer()
  const good = await startServer()
  const redirecting = await startServer((_, response) => {
    response.writeHead(307, { location: `${elsewhere.address}/v1/chat/completions` }).end()
  })
  const remote = openTestPool([redirecting.address, good.address])
  expect(await translateRemotely(lines, remote)).toEqual(expected)
  expect(elsewhere.seen).toEqual([])
  expect(remote.describe()[0]?.last_error?.message).toContain('redirects are not followed')
})

test('plain http to a public address carries no text', async () => {
  const remote = openTestPool(['http://192.0.2.1'], { giveUpAfterMs: 0 })
  await expect(translateRemotely(lines, remote)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('192.0.2.1 is not a private address'),
  })
})

test('a job completes when one of two servers is killed meanwhile', async () => {
  const good = await startServer()
  const { address, child } = await startServerToKill(join(import.meta.dirname, 'testing/fake-server-main.ts'))
  const remote = openTestPool([address, good.address])
  expect(await translateRemotely(lines, remote)).toEqual(expected)
  expect(child.signalCode).toBe('SIGKILL')
  expect(remote.describe()[0]).toMatchObject({ is_reachable: false, completed: 0 })
})

test('a server that responds 429 is used again', async () => {
  const server = await startServer(busyOnce(translateByPattern))
  const remote = openTestPool([server.address])
  expect(await translateRemotely(lines, remote)).toEqual(expected)
  expect(remote.describe()[0]).toMatchObject({ failed: 1, retry_at: null, is_reachable: true })
})

test('a job fails with the tried servers when none can be used, and resumes where it stopped', async () => {
  let isGone = false
  const saved: SavedTranslation[] = []
  const checkpoint = { load: async () => saved, save: async (done: SavedTranslation) => void saved.push(done) }
  const server = await startServer((request, response) => {
    if (isGone) return void response.writeHead(500).end()
    isGone = server.seen.length === 3
    return translateByPattern(request, response)
  })
  const failure = translateRemotely(lines, openTestPool([server.address], { giveUpAfterMs: 500 }), { checkpoint })
  await expect(failure).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(`^No translation server could be used for .*${server.address}: HTTP 500`),
  })
  const good = await startServer()
  expect(await translateRemotely(lines, openTestPool([good.address]), { checkpoint })).toEqual(expected)
  expect(good.seen).toHaveLength(3)
})

test('a line that every server rejects is not translated, and the others are', async () => {
  const server = await startServer((request, response) => {
    if (request.text !== lines[2]?.text) return translateByPattern(request, response)
    response.writeHead(400).end('{"error":{"message":"unsupported"}}')
  })
  const translated = await translateRemotely(lines, openTestPool([server.address]))
  expect(translated.filter(({ error }) => error !== null)).toMatchObject([
    { text: lines[2]?.text, error: expect.stringContaining('No translation server accepts this text') },
  ])
})

test('a text that is too long for the context is split', async () => {
  const [one = '', two = ''] = lines.map(({ text }) => text)
  const server = await startServer((request, response) => {
    if (request.text.length < 100) return translateByPattern(request, response)
    response.writeHead(400).end('{"error":{"message":"the request exceeds the available context size"}}')
  })
  const long = `${[one, one, one].join('، ')}. ${[two, two].join('، ')}.`
  const [whole] = await translateRemotely([{ start: 0, end: 9, text: long }], openTestPool([server.address]))
  expect(whole?.error).toBeNull()
  expect(server.seen.length).toBeGreaterThan(2)
})

test('cancelling closes the connection at once', async () => {
  const server = await startServer(faults.hangs)
  const controller = new AbortController()
  const job = translateRemotely(lines, openTestPool([server.address]), { signal: controller.signal })
  job.catch(() => undefined)
  await vi.waitFor(() => expect(server.seen).toHaveLength(1))
  const cancelledAt = performance.now()
  controller.abort()
  await expect(job).rejects.toMatchObject({ code: 'job_cancelled' })
  await vi.waitFor(() => expect(server.connections.size).toBe(0))
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
})

test('sends what OpenAI defines, with the key; no message repeats the key or the text', async () => {
  const key = 'sk-very-secret'
  const logged: object[] = []
  const server = await startServer((request, response) => {
    if (server.seen.length > 2) return translateByPattern(request, response)
    const message = server.seen.length === 1 ? `The key ${key} is busy` : `cannot translate "${request.text}"`
    response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify({ error: { message } }))
  })
  const remote = openTestPool([server.address], {
    settings: { key, model: 'large' },
    log: { warn: (entry: object) => void logged.push(entry) },
  })
  expect(await translateRemotely(lines, remote, { settings: { model: 'large' } })).toEqual(expected)
  expect(server.seen[0]).toMatchObject({ path: '/v1/chat/completions', authorization: `Bearer ${key}` })
  expect(Object.keys(server.seen[0]?.body ?? {}).toSorted()).toEqual(
    ['max_tokens', 'messages', 'model', 'prompt', 'seed', 'stream', 'temperature', 'top_p'].filter(
      (name) => name !== 'prompt' || server.seen[0]?.body.prompt === '',
    ),
  )
  expect(server.seen[0]?.body).toMatchObject({ model: 'large', temperature: 0, stream: false })
  expect(logged).toMatchObject([{ reason: 'HTTP 503 (The key *** is busy)' }, { reason: 'HTTP 503' }])
  expect(JSON.stringify(remote.describe())).not.toContain(key)
})

test('a model without instruction tuning gets a completion prompt', async () => {
  const server = await startServer((request, response) => {
    const text = ` ${numberedSentence(Number(/\d+/.exec(request.text)?.[0]))}`
    response.end(JSON.stringify({ choices: [{ text, finish_reason: 'stop' }] }))
  })
  const settings = { form: 'completion' as const }
  expect(await translateRemotely(lines, openTestPool([server.address], { settings }), { settings })).toEqual(expected)
  expect(server.seen[0]).toMatchObject({ path: '/v1/completions', body: { stop: ['\n'] } })
})
