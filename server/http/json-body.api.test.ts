import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const json = 'application/json'
const malformedBodies: [
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  status: number,
][] = [
  ...['false', 'true', 'null', '0', '-1e999', '""', '"text"', '[]', '{', '\0', '\uFEFF{}', '{"__proto__":{"a":1}}'].map(
    (body): (typeof malformedBodies)[number] => [JSON.stringify(body), body, {}, 400],
  ),
  ['false that claims to be gzip', 'false', { 'Content-Encoding': 'gzip' }, 415],
  ['gzip', new Uint8Array(gzipSync('{"email":"a@b.cd","password":"x"}')), { 'Content-Encoding': 'gzip' }, 415],
  ['gzip cut short', new Uint8Array(gzipSync('{"email":"a"}').subarray(0, 15)), { 'Content-Encoding': 'gzip' }, 415],
  ['a gzip bomb', new Uint8Array(gzipSync(Buffer.alloc(50_000_000))), { 'Content-Encoding': 'gzip' }, 415],
  ['brotli', 'false', { 'Content-Encoding': 'br' }, 415],
  ['an unknown encoding', '{}', { 'Content-Encoding': 'x' }, 415],
  ['two encodings', '{}', { 'Content-Encoding': 'identity, gzip' }, 415],
  ['an unknown character set', '{}', { 'Content-Type': `${json}; charset=klingon` }, 400],
]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('responds to malformed bodies with 400 or 415, never 500', async () => {
  const { accessToken } = await server.createSignedIn()
  for (const path of [api.auth.signIn.path, api.audio.translate.path, api.audio.upload.path]) {
    const isUpload = path === api.audio.upload.path
    for (const [name, body, headers, status] of malformedBodies) {
      const response = await fetch(server.url + path, {
        method: 'POST',
        body,
        headers: { 'Content-Type': json, Authorization: `Bearer ${accessToken}`, ...headers },
      })
      const expected = isUpload ? 400 : status
      expect({ path, name, status: response.status }).toEqual({ path, name, status: expected })
      expect(await response.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) })
    }
  }
})
