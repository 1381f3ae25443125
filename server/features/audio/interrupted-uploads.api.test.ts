import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { ErrorBody } from '#contract/errors.ts'
import { toObjectId } from '#data/ids.ts'
import { seededRandom } from '#testing/audio.ts'
import { startServerProcess } from '#testing/processes.ts'
import { noiseFile, sha256 } from '#testing/noise-file.ts'
import { beginUpload, sendPart, startCuttingProxy, uploadWithClient, tusHeader } from '#testing/resumable-uploads.ts'
import { recordCoverage, startTestServer, type TestServer } from '#testing/server.ts'
import { mountSmallDisk } from '#testing/small-disk.ts'
import { listAudioFiles, makeDialogue } from '#testing/uploads.ts'

const mebibyte = 1024 ** 2
let server: TestServer
let token: string
const call = { name: 'call.wav', content: makeDialogue() }
const size = call.content.length

beforeAll(async () => {
  server = await startTestServer()
  token = (await server.createSignedIn()).accessToken
})
afterAll(() => server.close())

const get = async (id: string) => (await server.call(api.uploads.get, { params: { id }, token })).data
const finish = (id: string, by = token) => server.call(api.uploads.finish, { params: { id }, token: by })

async function playedHash(origin: string, id: string): Promise<string> {
  const response = await fetch(`${origin}/api/audio/${id}`, { headers: { Authorization: `Bearer ${token}` } })
  return sha256(new Uint8Array(await response.arrayBuffer()))
}

interface HeldPart {
  id: string
  content?: Uint8Array
  sentBytes: number
  by?: string
}

/** Sends the beginning of the first part, without announcing its length, and keeps the connection open. */
function holdPart(origin: string, { id, content = call.content, sentBytes, by = token }: HeldPart): Socket {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(
    `PATCH /api/uploads/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${by}\r\nTus-Resumable: 1.0.0\r\n` +
      `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  socket.write(`${sentBytes.toString(16)}\r\n`)
  socket.write(content.subarray(0, sentBytes))
  socket.write('\r\n')
  return socket
}

/** Waits until the server has begun to write the content that arrives. */
const waitForFile = (id: string) => vi.waitFor(async () => expect(await listAudioFiles(server)).toContain(`${id}.part`))

const beginOne = async () => (await beginUpload(server, token, { name: call.name, size })).data

test('40 MB over a connection that is cut 20 times at random arrive as they were', { timeout: 120_000 }, async () => {
  const content = noiseFile(40 * mebibyte)
  const random = seededRandom(Date.now())
  const places = Array.from({ length: 20 }, () => Math.ceil(random() * content.length)).toSorted((a, b) => a - b)
  const cutAfter = places.map((place, index) => place - (places[index - 1] ?? 0))
  const proxy = await startCuttingProxy(server.url, cutAfter)
  onTestFinished(() => proxy.close())
  const id = await uploadWithClient(proxy.url, token, { name: 'long.wav', content })
  expect(proxy.cuts()).toBe(20)
  expect((await finish(id)).data).toMatchObject({ file_id: id, size: content.length })
  expect(await playedHash(server.url, id)).toBe(sha256(content))
})

test('a server that is killed in the middle of a part goes on where it was', { timeout: 120_000 }, async () => {
  const { databaseUri, config } = server
  const database = { uri: databaseUri, dbName: new URL(databaseUri).pathname.slice(1) }
  const options = { dataDir: config.dataDir, database }
  const content = noiseFile(30 * mebibyte)
  const { id } = (await beginUpload(server, token, { name: 'long.wav', size: content.length })).data
  const first = await startServerProcess(options)
  holdPart(first.url, { id, content, sentBytes: 20 * mebibyte })
  await vi.waitFor(async () => expect((await get(id)).received).toBeGreaterThan(15 * mebibyte), { timeout: 30_000 })
  await first.end('SIGKILL')
  const second = await startServerProcess(options)
  onTestFinished(() => second.end('SIGTERM'))
  await uploadWithClient(second.url, token, { name: 'long.wav', content, id })
  expect((await finish(id)).data.size).toBe(content.length)
  expect(await playedHash(second.url, id)).toBe(sha256(content))
})

test('a client that is cut off leaves what has arrived, and goes on from there', async () => {
  const { id } = await beginOne()
  const socket = holdPart(server.url, { id, sentBytes: 60_000 })
  await waitForFile(id)
  socket.destroy()
  await vi.waitFor(async () => expect((await get(id)).received).toBe(60_000))
  expect((await sendPart(server, token, { id, offset: 60_000, bytes: call.content.slice(60_000) })).status).toBe(204)
  expect((await finish(id)).status).toBe(201)
  expect(await playedHash(server.url, id)).toBe(sha256(call.content))
})

test('of two clients that send the same upload one waits, until the other sends nothing more', async () => {
  const { id } = await beginOne()
  holdPart(server.url, { id, sentBytes: 60_000 })
  await waitForFile(id)
  const second = await sendPart(server, token, { id, offset: 0, bytes: call.content })
  expect(second.error).toMatchObject({ code: 'conflict', error: expect.stringContaining('another connection') })
  expect((await finish(id)).error.code).toBe('conflict')
  await vi.waitFor(async () => expect((await get(id)).received).toBe(60_000), { timeout: 10_000 })
  expect((await sendPart(server, token, { id, offset: 60_000, bytes: call.content.slice(60_000) })).status).toBe(204)
  expect((await finish(id)).status).toBe(201)
  expect(await playedHash(server.url, id)).toBe(sha256(call.content))
})

test('many parts that are sent at once for the same place leave the file whole', async () => {
  const { id } = await beginOne()
  const bytes = call.content.slice(0, 100_000)
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendPart(server, token, { id, offset: 0, bytes })))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
  await sendPart(server, token, { id, offset: 100_000, bytes: call.content.slice(100_000) })
  expect((await finish(id)).status).toBe(201)
  expect(await playedHash(server.url, id)).toBe(sha256(call.content))
})

test('a session that ends in the middle ends the part, and the next one goes on', async () => {
  const user = await server.createSignedIn()
  const { id } = (await beginUpload(server, user.accessToken, { name: call.name, size })).data
  const socket = holdPart(server.url, { id, sentBytes: 60_000, by: user.accessToken })
  await waitForFile(id)
  await server.call(api.profile.endAllSessions, { token: user.accessToken })
  const [answer] = (await once(socket, 'data')) as [Buffer] // by its documentation
  expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /)
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const again = await server.services.sessions.start({ userId: user.id, isRemembered: false, isBrowser: false, origin })
  const { data } = await server.call(api.uploads.get, { params: { id }, token: again.accessToken })
  expect(data.received).toBe(60_000)
})

test('an upload that is discarded while it arrives leaves no file', async () => {
  const { id } = await beginOne()
  const socket = holdPart(server.url, { id, sentBytes: 60_000 })
  await waitForFile(id)
  await server.call(api.uploads.discard, { params: { id }, token })
  socket.write('0\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer] // by its documentation
  expect(answer.toString()).toMatch(/^HTTP\/1.1 404 /)
  expect(await listAudioFiles(server)).not.toContain(`${id}.part`)
})

test('a part that is larger than the room on the disk is refused before it is read', async () => {
  const { id } = await beginOne()
  const larger = { $set: { sizeBytes: 1e15 } }
  await server.services.database.connection.collection('uploads').updateOne({ _id: toObjectId(id) }, larger)
  const part = request(`${server.url}/api/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      ...tusHeader,
      Authorization: `Bearer ${token}`,
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(1e14),
    },
  })
  part.flushHeaders()
  const [response] = (await once(part, 'response')) as [IncomingMessage] // by its documentation
  const { code } = ErrorBody.parse(JSON.parse(await text(response)))
  part.on('error', () => undefined).destroy()
  recordCoverage(api.uploads.send, code)
  expect([response.statusCode, code]).toEqual([507, 'disk_full'])
})

test('a full disk is told, and the upload goes on when there is room', async (context) => {
  const own = await startTestServer()
  onTestFinished(() => own.close())
  const by = (await own.createSignedIn()).accessToken
  const folder = join(own.config.dataDir, 'audio', 'uploads')
  if (own.config.audioStore !== 'folder') return context.skip('Only a folder has a disk of its own.')
  await mkdir(folder)
  if (!mountSmallDisk(folder, '64k')) return context.skip('This machine lets no test mount a file system.')
  const { id } = (await beginUpload(own, by, { name: call.name, size })).data
  const full = await sendPart(own, by, { id, offset: 0, bytes: call.content })
  expect([full.status, full.error]).toMatchObject([
    507,
    { code: 'disk_full', help: expect.stringContaining('administrator') },
  ])
  const { received } = (await own.call(api.uploads.get, { params: { id }, token: by })).data
  expect(received).toBeGreaterThan(0)
  resizeDisk(folder, '1m')
  await sendPart(own, by, { id, offset: received, bytes: call.content.slice(received) })
  expect((await own.call(api.uploads.get, { params: { id }, token: by })).data.received).toBe(size)
})

test('what the database needs of the disk is left free, also of an upload whose parts announce no length', async (context) => {
  const own = await startTestServer()
  onTestFinished(() => own.close())
  const by = (await own.createSignedIn()).accessToken
  const folder = join(own.config.dataDir, 'audio')
  if (own.config.audioStore !== 'folder') return context.skip('Only a folder has a disk of its own.')
  if (!mountSmallDisk(folder, '560m')) return context.skip('This machine lets no test mount a file system.')
  const content = noiseFile(20 * mebibyte)
  const { id } = (await beginUpload(own, by, { name: 'long.wav', size: content.length })).data
  resizeDisk(folder, '513m')
  expect((await beginUpload(own, by, { name: 'long.wav', size: content.length })).error.code).toBe('disk_full')
  expect((await sendPart(own, by, { id, offset: 0, bytes: content })).error.code).toBe('disk_full')
  const socket = holdPart(own.url, { id, content, sentBytes: 12 * mebibyte, by })
  const [answer] = (await once(socket, 'data')) as [Buffer] // by its documentation
  expect(answer.toString()).toMatch(/^HTTP\/1.1 507 /)
  const { received } = (await own.call(api.uploads.get, { params: { id }, token: by })).data
  expect(received).toBeGreaterThanOrEqual(8 * mebibyte)
  resizeDisk(folder, '560m')
  const rest = await sendPart(own, by, { id, offset: received, bytes: content.slice(received) })
  expect(rest.status).toBe(204)
})

function resizeDisk(folder: string, size: string): void {
  expect(spawnSync('mount', ['-o', `remount,size=${size}`, folder]).status).toBe(0)
}

test('a client that comes back at once waits until what it had sent is stored', async () => {
  const { id } = await beginOne()
  const { uploads } = server.services.work.audioStore
  const { append } = uploads
  const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  vi.spyOn(uploads, 'append').mockImplementationOnce(async (...given) => {
    begun.resolve()
    await append(...given).finally(() => told.promise)
  })
  const socket = holdPart(server.url, { id, sentBytes: 60_000 })
  await begun.promise
  await waitForFile(id)
  socket.destroy()
  await vi.waitUntil(async () => (await uploads.size(id)) === 60_000, { timeout: 10_000 })
  const next = sendPart(server, token, { id, offset: 60_000, bytes: call.content.slice(60_000) })
  for (let other = 0; other < 5; other++) await beginOne() // by then the server knows about it
  told.resolve()
  expect((await next).status).toBe(204)
  expect((await finish(id)).status).toBe(201)
})
