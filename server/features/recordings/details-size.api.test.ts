import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { storeLongCall } from '#testing/long-call.ts'
import type { TalkLanguage } from '#testing/long-call-words.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

/** For all responses together that the page of a finished one-hour call needs. */
const maxBytes = 400_000

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
})
afterAll(() => server.close())

interface SentResponse {
  /** The bytes as sent, still encoded. */
  body: Buffer
  encoding: string | undefined
  varies: string | undefined
}

function request(path: string, acceptEncoding: string): Promise<SentResponse> {
  const headers = { Authorization: `Bearer ${user.accessToken}`, 'Accept-Encoding': acceptEncoding }
  return new Promise((resolve, reject) => {
    get(new URL(path, server.url), { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { 'content-encoding': encoding, vary: varies } = response.headers
        if (response.statusCode === 200) resolve({ body: Buffer.concat(chunks), encoding, varies })
        else reject(new Error(`${path}: ${response.statusCode}`))
      })
    }).on('error', reject)
  })
}

const calls: [name: string, languages: [TalkLanguage, TalkLanguage]][] = [
  ['one in Pashto and English', ['ps', 'en']],
  ['one in Pashto alone', ['ps', 'ps']],
]

test.each(calls)('opening a finished call of an hour moves at most 400 kB: %s', async (_, languages) => {
  const { recordingId: id } = await storeLongCall(server.services.database, user.id, { minutes: 60, languages })
  const { data } = await server.call(api.recordings.get, { params: { id }, token: user.accessToken })
  expect(data.transcription?.segments).toHaveLength(1538)
  const paths = [
    `/api/recordings/${id}?compact=true`,
    `/api/recordings/${id}/versions`,
    `/api/recordings/${id}/notes`,
    `/api/recordings/${id}/reviewed-hits`,
    `/api/recordings/${id}/heard`,
    `/api/recordings/${id}/line-marks`,
    '/api/recordings?per_page=20',
    '/api/languages',
    '/api/auth/keywords',
  ]
  for (const encoding of ['gzip, deflate, br', 'gzip']) {
    const responses = await Promise.all(paths.map((path) => request(path, encoding)))
    expect(responses.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(maxBytes)
  }
})

test('a large response is compressed as the client takes it, a small or public one is not', async () => {
  const { recordingId: id } = await storeLongCall(server.services.database, user.id, { minutes: 5 })
  const path = `/api/recordings/${id}`
  const plain = await request(path, 'identity')
  expect(plain).toMatchObject({ encoding: undefined, varies: expect.stringContaining('Accept-Encoding') })
  const brotli = await request(path, 'gzip, deflate, br')
  expect(brotli.encoding).toBe('br')
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
  const gzip = await request(path, 'gzip')
  expect(gzip.encoding).toBe('gzip')
  expect(gunzipSync(gzip.body)).toEqual(plain.body)
  expect(await request('/api/auth/profile', 'br')).toMatchObject({ encoding: undefined })
  expect(await request('/api/languages', 'br')).toMatchObject({ encoding: undefined })
})
