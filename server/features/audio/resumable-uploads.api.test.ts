import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { toObjectId } from '#data/ids.ts'
import { removeExpiredUploads } from '#data/uploads/remove-uploads.ts'
import { wavHeader } from '#testing/audio.ts'
import { sha256 } from '#testing/noise-file.ts'
import { beginUpload, sendPart, sendWhole, tusHeader, uploadWithClient } from '#testing/resumable-uploads.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles, makeDialogue, upload } from '#testing/uploads.ts'

let server: TestServer
let user: SignedInUser
let token: string
const call = { name: 'د ښوونځي غږ.wav', content: makeDialogue() }
const size = call.content.length

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  token = user.accessToken
})
afterAll(() => server.close())

const begin = (by = token) => beginUpload(server, by, { name: call.name, size })
const finish = (id: string, by = token) => server.call(api.uploads.finish, { params: { id }, token: by })
const get = (id: string, by = token) => server.call(api.uploads.get, { params: { id }, token: by })
const discard = (id: string, by = token) => server.call(api.uploads.discard, { params: { id }, token: by })
const list = async (by = token) => (await server.call(api.uploads.list, { token: by })).data.uploads
const text = (words: string) => new TextEncoder().encode(words)

async function uploadInParts(file: { name: string; content: Uint8Array<ArrayBuffer> }, by = token) {
  return finish((await sendWhole(server, by, file)).id, by)
}

async function playedHash(id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  return sha256(await (await fetch(`${server.url}/api/audio/${id}`, { headers })).bytes())
}

test('an upload in parts becomes the same recording as an upload in one', async () => {
  const inOne = await upload(server, token, call)
  const id = await uploadWithClient(server.url, token, { ...call, partBytes: 50_000 })
  const { status, data } = await finish(id)
  expect([status, data]).toEqual([
    201,
    { ...inOne.body, file_id: id, duplicate_of: { id: inOne.body.file_id, name: call.name } },
  ])
  expect(await playedHash(id)).toBe(sha256(call.content))
  expect(await list()).toEqual([])
  expect((await listAudioFiles(server)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('HEAD tells how much has arrived', async () => {
  const { data, headers } = await begin()
  expect(headers.get('Location')).toBe(`/api/uploads/${data.id}`)
  await sendPart(server, token, { id: data.id, offset: 0, bytes: call.content.slice(0, 1000) })
  const head = await fetch(`${server.url}/api/uploads/${data.id}`, {
    method: 'HEAD',
    headers: { ...tusHeader, Authorization: `Bearer ${token}` },
  })
  expect(Object.fromEntries(head.headers)).toMatchObject({
    'upload-offset': '1000',
    'upload-length': String(size),
    'tus-resumable': '1.0.0',
    'cache-control': 'no-store',
    'upload-expires': expect.stringMatching(/GMT$/),
  })
  expect((await get(data.id)).data).toMatchObject({ name: call.name, size, received: 1000 })
  expect((await discard(data.id)).status).toBe(204)
})

test('nobody reaches the upload of somebody else', async () => {
  const other = (await server.createSignedIn()).accessToken
  const { id } = await sendWhole(server, token, call)
  const answers = [
    await get(id, other),
    await sendPart(server, other, { id, offset: size, bytes: new Uint8Array() }),
    await finish(id, other),
    await discard(id, other),
  ]
  expect(answers.map(({ error }) => error.code)).toEqual(Array(4).fill('not_found'))
  expect(await list(other)).toEqual([])
  expect((await list()).map((upload) => upload.id)).toEqual([id])
  await discard(id)
})

test('what POST /api/upload refuses by name or size is refused before a byte is sent, in the same words', async () => {
  const small = await startTestServer({ config: { maxUploadBytes: 2_000 } })
  onTestFinished(() => small.close())
  const by = (await small.createSignedIn()).accessToken
  for (const file of [
    { name: 'call.exe', content: call.content.slice(0, 100) },
    { name: 'call.wav', content: call.content.slice(0, 2_001) },
  ]) {
    const inOne = await upload(small, by, file)
    const inParts = await beginUpload(small, by, { name: file.name, size: file.content.length })
    const { request_id: _, ...expected } = inOne.body
    expect([inParts.status, inParts.error]).toMatchObject([inOne.status, expected])
  }
  expect((await small.call(api.uploads.list, { token: by })).data.uploads).toEqual([])
})

test('a file that is no audio is refused at its end in the same words, and nothing is left', async () => {
  const before = await listAudioFiles(server)
  const files = [
    { name: 'text.mp3', content: text('This is not music. '.repeat(50)) },
    { name: 'noise.flac', content: new Uint8Array([...text('fLaC'), ...Array<number>(500).fill(7)]) },
    { name: 'no-samples.wav', content: new Uint8Array(wavHeader(0, 1)) },
    { name: 'empty.mp3', content: new Uint8Array() },
  ]
  for (const file of files) {
    const inOne = await upload(server, token, file)
    const inParts = await uploadInParts(file)
    const { request_id: _, ...expected } = inOne.body
    expect([file.name, inParts.status, inParts.error]).toMatchObject([file.name, inOne.status, expected])
  }
  expect(await list()).toEqual([])
  expect(await listAudioFiles(server)).toEqual(before)
})

test('a limit that was lowered meanwhile refuses the file at its end', async () => {
  const { id } = await sendWhole(server, token, call)
  const data = {
    dataDir: server.config.dataDir,
    uri: server.databaseUri,
    dbName: new URL(server.databaseUri).pathname.slice(1),
  }
  const stricter = await startTestServer({ data, config: { maxUploadBytes: 1_000 } })
  onTestFinished(() => stricter.close())
  const refused = await stricter.call(api.uploads.finish, { params: { id }, token })
  expect(refused.error).toMatchObject({ code: 'upload_too_large' })
  expect((await get(id)).error.code).toBe('not_found')
})

test('a part that does not fit is refused and changes nothing', async () => {
  const { id } = (await begin()).data
  await sendPart(server, token, { id, offset: 0, bytes: call.content.slice(0, 1_000) })
  const wrongPlace = await sendPart(server, token, { id, offset: 0, bytes: call.content })
  expect(wrongPlace.error).toMatchObject({
    code: 'conflict',
    error: 'The next part of this upload begins at 1000, not at 0.',
  })
  const tooLong = await sendPart(server, token, { id, offset: 1_000, bytes: call.content })
  expect(tooLong.error.code).toBe('upload_too_large')
  expect((await finish(id)).error).toMatchObject({
    code: 'conflict',
    error: expect.stringContaining(`1000 of ${size} bytes`),
  })
  expect((await get(id)).data.received).toBe(1_000)
  await discard(id)
})

test('headers that a client of tus must send are asked for', async () => {
  const { id } = (await begin()).data
  const create = (headers: Record<string, string>) => server.call(api.uploads.create, { token, headers })
  const send = (headers: Record<string, string>) =>
    server.call(api.uploads.send, { token, params: { id }, headers, rawBody: new Uint8Array(1) })
  const name = `filename ${Buffer.from('call.wav').toString('base64')}`
  const refused = [
    await create({ 'Upload-Length': '1', 'Upload-Metadata': name }),
    await create({ ...tusHeader, 'Upload-Metadata': name }),
    await create({ ...tusHeader, 'Upload-Length': '1' }),
    await create({ ...tusHeader, 'Upload-Length': '1', 'Upload-Metadata': `${name},long ${'a'.repeat(5_000)}` }),
    await send({ 'Upload-Offset': '0', 'Tus-Resumable': '0.2.2' }),
    await send({ ...tusHeader, 'Upload-Offset': '0' }),
    await send({ ...tusHeader, 'Content-Type': 'application/offset+octet-stream' }),
  ]
  const codes = [
    'unsupported_version',
    ...Array(3).fill('invalid_input'),
    'unsupported_version',
    'invalid_input',
    'invalid_input',
  ]
  expect(refused.map(({ error }) => error.code)).toEqual(codes)
  expect([refused[0]?.status, refused[0]?.headers.get('Tus-Version')]).toEqual([412, '1.0.0'])
  await discard(id)
})

test('an upload that is finished twice, also at once, is one recording', async () => {
  const { id } = await sendWhole(server, token, call)
  const answers = await Promise.all([finish(id), finish(id)])
  answers.push(await finish(id))
  expect(answers.map(({ data }) => data.file_id)).toEqual([id, id, id])
  await server.call(api.recordings.remove, { params: { id }, token })
})

test('an upload that has expired is gone, with its file', async () => {
  const { id } = await sendWhole(server, token, call)
  const { connection } = server.services.database
  await connection.collection('uploads').updateOne({ _id: toObjectId(id) }, { $set: { expiresAt: new Date(0) } })
  expect([(await get(id)).error.code, (await finish(id)).error.code]).toEqual(['not_found', 'not_found'])
  expect(await list()).toEqual([])
  expect(await removeExpiredUploads(server.services.work)).toBe(1)
  expect(await listAudioFiles(server)).not.toContain(`${id}.part`)
})

test('an open upload counts against the quota with its whole size, until it is discarded or a recording', async () => {
  const small = await startTestServer({ config: { quotaBytes: size + 1_000 } })
  onTestFinished(() => small.close())
  const by = (await small.createSignedIn()).accessToken
  const beginOne = () => beginUpload(small, by, { name: 'call.wav', size })
  const first = (await beginOne()).data
  expect((await beginOne()).error).toMatchObject({ code: 'disk_full', error: 'Your storage is full' })
  expect((await upload(small, by, call)).status).toBe(507)
  await small.call(api.uploads.discard, { params: { id: first.id }, token: by })
  const second = await sendWhole(small, by, call)
  expect((await small.call(api.uploads.finish, { params: { id: second.id }, token: by })).status).toBe(201)
  expect((await beginOne()).error.code).toBe('disk_full')
})

test('an account that is deleted takes its uploads along', async () => {
  const leaving = await server.createSignedIn()
  const { id } = await sendWhole(server, leaving.accessToken, call)
  const admin = await server.createSignedIn({ role: 'admin' })
  await server.call(api.admin.deleteUser, { params: { id: leaving.id }, token: admin.accessToken })
  expect(await listAudioFiles(server)).not.toContain(`${id}.part`)
  const stored = server.services.database.connection.collection('uploads')
  expect(await stored.countDocuments({ ownerId: toObjectId(leaving.id) })).toBe(0)
})

test('no line of the log holds the name of a file', async () => {
  const name = 'Karimi interview 7.wav'
  await uploadInParts({ name, content: call.content })
  await uploadInParts({ name, content: text('no audio') })
  const written = server.logLines.join('\n')
  expect(written).toContain('/api/uploads/:id/finish')
  expect(written).not.toMatch(/Karimi|S2FyaW1p/)
})
