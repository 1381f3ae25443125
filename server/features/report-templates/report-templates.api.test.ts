import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxReportTemplates } from '#contract/report-templates.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { readZip } from '#testing/read-zip.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const { list, save, change, remove } = api.reportTemplates
const token = () => user.accessToken
const addNamed = async (name: string, part: object = {}) =>
  (await server.call(save, { body: { name, ...part }, token: token() })).data
const names = async (ofUser = user) =>
  (await server.call(list, { token: ofUser.accessToken })).data.templates.map(({ name }) => name)

test('a template is kept with everything it holds, listed by name', async () => {
  const court = { format: 'docx', translation: false, hits: false, notes: false, facts: false, doubt: 'mark' } as const
  const texts = { heading: 'Office 7', introduction: 'Case\n\n12', closing: 'Signed: {person}' }
  const { status, data } = await server.call(save, { body: { name: 'Court', ...court, ...texts }, token: token() })
  expect(status).toBe(201)
  expect(data).toMatchObject({ name: 'Court', ...court, ...texts })
  await addNamed('Archive')
  const { templates } = (await server.call(list, { token: token() })).data
  expect(templates).toEqual([expect.objectContaining({ name: 'Archive' }), data])
})

test('a template of the same name is replaced', async () => {
  const first = await addNamed('Court', { heading: 'One' })
  const second = await addNamed('Court', { heading: 'Two' })
  expect(second).toEqual({ ...first, heading: 'Two' })
  expect(await names()).toEqual(['Court'])
  // The same name in decomposed form, as some keyboards type it.
  const composed = await addNamed('Affaire n° 7, été'.normalize('NFC'))
  expect((await addNamed('Affaire n° 7, été'.normalize('NFD'))).id).toBe(composed.id)
})

test('a template is renamed, but not to the name of another', async () => {
  const { id, ...court } = await addNamed('Court')
  await addNamed('Archive')
  const rename = (name: string) => server.call(change, { params: { id }, body: { ...court, name }, token: token() })
  expect((await rename('Judge')).data).toEqual({ ...court, id, name: 'Judge' })
  expect((await rename('Archive')).error.code).toBe('conflict')
  expect(await names()).toEqual(['Archive', 'Judge'])
})

test('a template is deleted', async () => {
  const { id } = await addNamed('Court')
  expect((await server.call(remove, { params: { id }, token: token() })).status).toBe(200)
  expect(await names()).toEqual([])
  expect((await server.call(remove, { params: { id }, token: token() })).error.code).toBe('not_found')
})

test('nobody reads, changes or deletes a template of somebody else', async () => {
  const { id, ...court } = await addNamed('Court')
  const other = await server.createSignedIn()
  const input = { params: { id }, token: other.accessToken }
  expect(await names(other)).toEqual([])
  expect((await server.call(change, { ...input, body: court })).error.code).toBe('not_found')
  expect((await server.call(remove, input)).error.code).toBe('not_found')
  expect(await names()).toEqual(['Court'])
})

test('there is room for a number of templates, and for their replacements', async () => {
  for (let number = 1; number <= maxReportTemplates; number += 1) await addNamed(`Template ${number}`)
  const { error } = await server.call(save, { body: { name: 'One more' }, token: token() })
  expect(error).toMatchObject({ code: 'conflict', help: 'Delete one that you no longer need, then try again.' })
  expect((await server.call(save, { body: { name: 'Template 1' }, token: token() })).status).toBe(201)
})

test('refuses a template without a name, and texts that are too long', async () => {
  for (const body of [
    { name: ' ' },
    { name: 'a', heading: 'a'.repeat(201) },
    { name: 'a', closing: 'a'.repeat(2001) },
  ]) {
    expect((await server.call(save, { body, token: token() })).status).toBe(400)
  }
})

test('the templates of a user go with the account', async () => {
  const { id } = await addNamed('Court')
  const admin = await server.createSignedIn({ role: 'super_admin' })
  await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin.accessToken })
  const { connection } = server.services.work
  expect(await connection.collection('report_templates').countDocuments({ _id: toObjectId(id) })).toBe(0)
})

test('a report has the texts of the template, and the facts only where they are wanted', async () => {
  const recordingId = await uploadDialogue(server, token())
  const headers = { Prefer: 'respond-async' }
  await server.call(api.audio.transcribe, { body: { file_id: recordingId }, token: token(), headers })
  await finishNextJob(server.services.work.queue, makeTranscription(), ['ps', 'en'])
  const heading = 'Office 7: {recording}'
  const { id } = await addNamed('Court', { heading, introduction: 'First', closing: 'Signed by {person}' })
  const params = { id: recordingId }
  const exportAs = (query: object) => server.call(api.recordings.export, { params, query, token: token() })
  const dialogue = (await exportAs({ format: 'dialogue', template: id, facts: 'false' })).raw
  expect(dialogue).toMatch(/^Office 7: call\.\w+\n=+\n\n\nFirst\n\n\ncall\./)
  expect(dialogue).toMatch(/Signed by \S+/)
  expect(dialogue).not.toContain('About this transcript')
  const search = new URLSearchParams({ format: 'docx', template: id, facts: 'false' })
  const response = await fetch(`${server.url}/api/recordings/${recordingId}/export?${search}`, {
    headers: { Authorization: `Bearer ${token()}` },
  })
  const xml = readZip(Buffer.from(await response.arrayBuffer())).get('word/document.xml') ?? ''
  const text = xml.replace(/<[^>]+>/g, '')
  const places = ['Office 7: call', 'First', 'Conversation', 'Signed by '].map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(text).not.toContain('About this transcript')
  expect((await exportAs({ format: 'txt', template: newId() })).error.code).toBe('not_found')
})
