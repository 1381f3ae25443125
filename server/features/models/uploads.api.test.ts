import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let modelsDir: string
let superAdmin: SignedInUser
const importDir = () => join(modelsDir, 'import')

beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'awaz-models-'))
  server = await startTestServer({ config: { modelsDir } })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
beforeEach(() => rm(importDir(), { recursive: true, force: true }))
afterAll(async () => {
  await server.close()
  await rm(modelsDir, { recursive: true, force: true })
})

function begin(files: { path: string; size_bytes: number }[], name = 'base') {
  return server.call(api.models.beginUpload, { body: { name, files }, token: superAdmin.accessToken })
}

async function send(id: string, bytes: string, { file = 0, offset = 0 } = {}) {
  return server.call(api.models.sendPart, {
    params: { id },
    query: { file: String(file), offset: String(offset) },
    token: superAdmin.accessToken,
    rawBody: Buffer.from(bytes),
  })
}

const finish = (id: string) => server.call(api.models.finishUpload, { params: { id }, token: superAdmin.accessToken })
const readImports = async () => (await server.call(api.models.imports, { token: superAdmin.accessToken })).data

test('uploads a folder in parts and lists it when it is complete', async () => {
  const files = [
    { path: 'model.bin', size_bytes: 10 },
    { path: 'tokens/vocabulary.json', size_bytes: 2 },
  ]
  const { upload_id: id } = (await begin(files)).data
  expect((await send(id, '01234')).data.received_bytes).toBe(5)
  expect((await finish(id)).error).toMatchObject({
    code: 'conflict',
    error: 'model.bin is not whole: 5 of 10 bytes are here.',
  })
  expect((await readImports()).imports).toEqual([])
  await send(id, '56789', { offset: 5 })
  await send(id, '{}', { file: 1 })
  expect((await finish(id)).data.import).toMatchObject({
    name: 'base',
    is_folder: true,
    files: 2,
    size_bytes: 12,
    is_uploaded: true,
  })
  expect(await readFile(join(importDir(), 'base/model.bin'), 'utf8')).toBe('0123456789')
  expect(await readFile(join(importDir(), 'base/tokens/vocabulary.json'), 'utf8')).toBe('{}')
  expect(await readdir(join(importDir(), '.uploads'))).toEqual([])
  expect((await finish(id)).error.code).toBe('not_found')
})

test('rejects a part at the wrong offset, a part beyond the size and an unannounced file', async () => {
  const { upload_id: id } = (await begin([{ path: 'model.bin', size_bytes: 4 }])).data
  await send(id, '01')
  expect((await send(id, '01')).error).toMatchObject({
    code: 'conflict',
    error: 'The next part of model.bin begins at 2, not at 0.',
  })
  expect((await send(id, '23456', { offset: 2 })).error.code).toBe('upload_too_large')
  expect((await send(id, '0', { file: 1 })).error.code).toBe('not_found')
  expect((await send('f'.repeat(24), '0')).error.code).toBe('not_found')
  expect((await send(id, '23', { offset: 2 })).data.received_bytes).toBe(4)
})

test('keeps nothing of an interrupted part', async () => {
  const { upload_id: id } = (await begin([{ path: 'model.bin', size_bytes: 1000 }])).data
  await send(id, '01')
  const path = join(importDir(), '.uploads', id, 'files/model.bin')
  const target = new URL(`${server.url}/api/admin/models/uploads/${id}/part?file=0&offset=2`)
  const headers = { Authorization: `Bearer ${superAdmin.accessToken}`, 'Content-Length': 900 }
  const half = request(target, { method: 'PUT', headers })
  half.on('error', () => undefined)
  half.write('x'.repeat(400))
  await vi.waitFor(async () => expect((await readFile(path)).length).toBe(402))
  half.destroy()
  await vi.waitFor(async () => expect((await readFile(path)).length).toBe(2))
  await vi.waitFor(async () => expect((await send(id, '2', { offset: 2 })).data.received_bytes).toBe(3))
})

test.each([
  ['../x.bin'],
  ['/etc/passwd'],
  ['a/../../x'],
  ['.hidden'],
  ['a//b'],
  ['a\\b'],
  ['nul\u0000'],
  ['a/b/c/d/e'],
])('rejects the file name %j', async (path) => {
  expect((await begin([{ path, size_bytes: 1 }])).error.code).toBe('invalid_input')
})

test.each([['..'], ['.uploads'], ['a/b'], ['x'.repeat(101)], ['']])('rejects the name %j', async (name) => {
  expect((await begin([{ path: 'model.bin', size_bytes: 1 }], name)).error.code).toBe('invalid_input')
})

test('rejects two files of one name, and a file that is a folder too', async () => {
  const sized = (...paths: string[]) => paths.map((path) => ({ path, size_bytes: 1 }))
  expect((await begin(sized('model.bin', 'Model.bin'))).error.code).toBe('conflict')
  expect((await begin(sized('model', 'model/x'))).error.code).toBe('conflict')
})

test('rejects an upload without room before its first byte, counting what other uploads still need', async () => {
  const { free_bytes: free } = await readImports()
  const { error } = await begin([{ path: 'model.bin', size_bytes: free + 1024 ** 3 }])
  expect(error.code).toBe('disk_full')
  expect(error.error).toMatch(/^There is no room for [\d.]+ GB: [\d.]+ GB are free\.$/)
  await begin([{ path: 'model.bin', size_bytes: Math.round(free * 0.7) }], 'first')
  expect((await begin([{ path: 'model.bin', size_bytes: Math.round(free * 0.7) }], 'second')).error.code).toBe(
    'disk_full',
  )
})

test('rejects a part when the disk was filled meanwhile', async () => {
  const { upload_id: id } = (await begin([{ path: 'model.bin', size_bytes: 4 }])).data
  const { free_bytes: free } = await readImports()
  // A file twice as large as the free space has the same effect as a disk filled by others.
  const files = [{ path: 'model.bin', size_bytes: free * 2 }]
  await writeFile(join(importDir(), '.uploads', id, 'manifest.json'), JSON.stringify({ name: 'base', files }))
  expect((await send(id, '0123')).error.code).toBe('disk_full')
})

test('rejects a name that is taken, at the beginning and at the end', async () => {
  const { upload_id: id } = (await begin([{ path: 'model.bin', size_bytes: 1 }])).data
  await send(id, '0')
  await writeFile(join(importDir(), 'base'), 'by hand')
  expect((await begin([{ path: 'model.bin', size_bytes: 1 }])).error.code).toBe('conflict')
  expect((await finish(id)).error.code).toBe('conflict')
  expect(await readFile(join(importDir(), 'base'), 'utf8')).toBe('by hand')
})

test('reports a folder that cannot be written, and begins no upload', async () => {
  await writeFile(importDir(), 'a file')
  expect((await readImports()).problem).toMatch(/Nothing can be written to .*import: the folder is a file\./)
  expect((await begin([{ path: 'model.bin', size_bytes: 1 }])).error.code).toBe('conflict')
})

test('deletes an abandoned upload, and one that received nothing for an hour', async () => {
  const { upload_id: first } = (await begin([{ path: 'model.bin', size_bytes: 9 }], 'first')).data
  const abandon = () => server.call(api.models.abandonUpload, { params: { id: first }, token: superAdmin.accessToken })
  expect((await abandon()).data.message).toBe('The upload of first was given up')
  expect((await abandon()).error.code).toBe('not_found')
  const { upload_id: old } = (await begin([{ path: 'model.bin', size_bytes: 9 }], 'old')).data
  const { upload_id: fresh } = (await begin([{ path: 'model.bin', size_bytes: 9 }], 'fresh')).data
  const longAgo = new Date(Date.now() - 61 * 60_000)
  await utimes(join(importDir(), '.uploads', old, 'manifest.json'), longAgo, longAgo)
  await readImports()
  expect(await readdir(join(importDir(), '.uploads'))).toEqual([fresh])
})

test('lists the folder without links and hidden files, and deletes uploads alone', async () => {
  await mkdir(join(importDir(), 'folder'), { recursive: true })
  await writeFile(join(importDir(), 'folder/model.bin'), '0123')
  await writeFile(join(importDir(), 'base.bin'), '01')
  await writeFile(join(importDir(), '.hidden'), '01')
  await symlink('/etc', join(importDir(), 'etc'))
  expect((await readImports()).imports).toMatchObject([
    { name: 'base.bin', is_folder: false, files: 1, size_bytes: 2, is_uploaded: false },
    { name: 'folder', is_folder: true, files: 1, size_bytes: 4, is_uploaded: false },
  ])
  const remove = (name: string) =>
    server.call(api.models.removeImport, { params: { name }, token: superAdmin.accessToken })
  expect((await remove('base.bin')).error.code).toBe('conflict')
  expect((await remove('nothing')).error.code).toBe('not_found')
  const { upload_id: id } = (await begin([{ path: 'model.bin', size_bytes: 1 }])).data
  await send(id, '0')
  await finish(id)
  expect((await remove('base')).data.message).toBe('base deleted')
  expect((await readImports()).imports.map(({ name }) => name)).toEqual(['base.bin', 'folder'])
})
