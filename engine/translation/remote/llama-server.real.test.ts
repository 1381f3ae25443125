import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { startLlamaServer } from '#testing/real-models/llama-server.ts'
import type { LlamaServer } from '#testing/real-models/llama-server.ts'
import { remoteTranslationModels } from '#engine/models/remote-models.ts'
import { openTestPool, remoteSettings, translateRemotely } from './testing/remote-lines.ts'

/** Gemma 3 270M without instruction tuning. */
const settings = { form: 'completion' as const }

const lines = [
  'سلام، حال شما چطور است؟',
  'من فردا به کابل می‌روم.',
  'پول را به برادرم بده.',
  'ماشین خراب است.',
  'ما امشب در خانه هستیم.',
].map((text, index) => ({ start: index * 2, end: index * 2 + 1, text }))

describe.skipIf(lacks('gemma', 'llamaServer'))("llama.cpp's own server", () => {
  let servers: LlamaServer[] = []

  beforeAll(async () => {
    servers = await Promise.all([startLlamaServer(), startLlamaServer()])
  })

  afterAll(() => Promise.all(servers.map((server) => server.kill())))

  const open = (used: LlamaServer[]) =>
    openTestPool(
      used.map(({ address }) => address),
      { settings },
    )

  test('translates lines of a call, or reports why it did not', async () => {
    const remote = open(servers.slice(0, 1))
    const translated = await translateRemotely(lines, remote, { settings })
    expect(translated.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
    const english = translated.filter(({ error }) => error === null)
    expect(english.length).toBeGreaterThanOrEqual(3)
    for (const { translated_text } of english) expect(translated_text).toMatch(/^[\p{ASCII}’“”–—]+$/u)
    for (const { error, not_translated } of translated) expect(error === null).toBe(!not_translated)
    const [status] = remote.describe()
    expect(status).toMatchObject({ is_reachable: true, failed: 0, tokens_per_second: expect.any(Number) })
    console.log(JSON.stringify({ tokensPerSecond: status?.tokens_per_second, english: english.length }))
  })

  test('completes chats, and reports a text that is too long for its context', async () => {
    const chat = { form: 'chat' as const }
    const { translation } = remoteTranslationModels(remoteSettings(['http://127.0.0.1'], chat))
    const translator = open(servers.slice(0, 1)).use(translation)
    const pair = { source: 'fa', target: 'en' }
    expect(await translator.complete('سلام', pair)).toMatchObject({ kind: 'completion', text: expect.any(String) })
    expect(await translator.complete('سلام و درود. '.repeat(600), pair)).toEqual({ kind: 'too_long' })
  })

  test('a job is cancelled within two seconds, and the server takes others', async () => {
    const [server] = servers
    if (!server) throw new Error('There is no server')
    const remote = open([server])
    const controller = new AbortController()
    const job = translateRemotely(lines, remote, { settings, signal: controller.signal })
    job.catch(() => undefined)
    await vi.waitFor(() => expect(remote.describe()[0]?.in_flight).toBe(1), { timeout: 30_000 })
    const cancelledAt = performance.now()
    controller.abort()
    await expect(job).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(performance.now() - cancelledAt).toBeLessThan(2000)
    expect(remote.describe()[0]).toMatchObject({ in_flight: 0, failed: 0 })
    expect(await translateRemotely(lines.slice(0, 1), remote, { settings })).toHaveLength(1)
  })

  test('a job completes when one of two servers is killed meanwhile', async () => {
    const [first, second] = servers
    if (!first || !second) throw new Error('There are no servers')
    const some = lines.slice(0, 3)
    const expected = await translateRemotely(some, open([first]), { settings })
    const remote = open([second, first])
    const job = translateRemotely(some, remote, { settings })
    await vi.waitFor(() => expect(remote.describe()[0]?.in_flight).toBe(1), { timeout: 30_000 })
    await second.kill()
    const translated = await job
    expect(translated.map(({ text }) => text)).toEqual(expected.map(({ text }) => text))
    expect(translated.map(({ error }) => error === null)).toEqual(expected.map(({ error }) => error === null))
    expect(remote.describe()[0]).toMatchObject({ is_reachable: false, completed: 0 })
  })
})
