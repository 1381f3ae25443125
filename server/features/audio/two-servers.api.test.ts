import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { sha256 } from '#testing/noise-file.ts'
import { beginUpload, sendPart, sendWhole, tusHeader } from '#testing/resumable-uploads.ts'
import { startSecondServer, startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles, makeDialogue } from '#testing/uploads.ts'

let first: TestServer
let second: TestServer
let user: SignedInUser
const call = { name: 'call.wav', content: makeDialogue() }
const size = call.content.length

beforeAll(async () => {
  first = await startTestServer()
  second = await startSecondServer(first)
  user = await first.createSignedIn()
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const finish = (server: TestServer, id: string) =>
  server.call(api.uploads.finish, { params: { id }, token: user.accessToken })

async function playedHash(server: TestServer, id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${user.accessToken}` }
  return sha256(await (await fetch(`${server.url}/api/audio/${id}`, { headers })).bytes())
}

/** Begins a part, and sends only its beginning until `sendRest` is called. */
function startPart(server: TestServer, { id, offset, bytes }: { id: string; offset: number; bytes: Uint8Array }) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const headers = {
    ...tusHeader,
    Host: 'awaz',
    Authorization: `Bearer ${user.accessToken}`,
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': bytes.length,
    'Upload-Offset': offset,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH /api/uploads/${id} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(bytes.subarray(0, 1000))
  return { answer: text(socket), sendRest: () => void socket.write(bytes.subarray(1000)) }
}

test('an upload that both servers are asked to finish becomes one recording with its sound', async () => {
  const { id } = await sendWhole(first, user.accessToken, call)
  const answers = await Promise.all([finish(first, id), finish(second, id), finish(first, id), finish(second, id)])
  expect(answers.map(({ status, data }) => [status, data.file_id])).toEqual(answers.map(() => [201, id]))
  expect(await playedHash(first, id)).toBe(sha256(call.content))
})

test('an upload that goes on at the other server has no gaps, and the first connection is refused', async () => {
  const { data: upload } = await beginUpload(first, user.accessToken, { name: call.name, size })
  const { id } = upload
  const stalled = startPart(first, { id, offset: 0, bytes: call.content.slice(0, 5000) })
  await vi.waitUntil(async () => (await listAudioFiles(first)).includes(`${id}.part`), { timeout: 10_000 })
  const half = call.content.slice(0, 3000)
  expect((await sendPart(second, user.accessToken, { id, offset: 0, bytes: half })).status).toBe(409)
  await vi.waitUntil(
    async () => (await sendPart(second, user.accessToken, { id, offset: 0, bytes: half })).status === 204,
    { timeout: 10_000 },
  )
  stalled.sendRest()
  expect(await stalled.answer).toMatch(/^HTTP\/1\.1 409 /)
  const rest = call.content.slice(3000)
  expect((await sendPart(first, user.accessToken, { id, offset: 3000, bytes: rest })).status).toBe(204)
  expect((await finish(second, id)).status).toBe(201)
  expect(await playedHash(second, id)).toBe(sha256(call.content))
})
