import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { BatchRequest } from '#contract/batches.ts'
import { AppError } from '#contract/app-error.ts'
import { insertCase } from '#data/cases/cases.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeDialogue, upload } from '#testing/uploads.ts'
import { startWatchFolder } from './watch-folder.ts'

let server: TestServer
let user: SignedInUser
let folder: string
let own: string
let watching: { close: () => Promise<void> }[]
let batches: { ownerId: string; request: BatchRequest }[]

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await server.createSignedIn()
  folder = await mkdtemp(join(tmpdir(), 'awaz-watch-'))
  own = join(folder, user.email)
  await mkdir(own)
  watching = []
  batches = []
})
afterEach(async () => {
  for (const { close } of watching) await close()
  await rm(folder, { recursive: true, force: true })
})

async function startBatch(ownerId: string, request: BatchRequest): Promise<unknown> {
  return batches.push({ ownerId, request })
}

async function watch(overrides: { startBatch?: typeof startBatch; settleMs?: number } = {}) {
  const { work, users } = server.services
  const settings = { folder, settleMs: 200 }
  const options = { ...settings, startBatch, log: pino({ level: 'silent' }), ...overrides }
  const started = await startWatchFolder({ ...work, users, ...options })
  watching.push(started)
  return started
}

/** Returns a dialogue with different content for each seed: identical files are imported only once. */
function makeCall(seed = 0): Uint8Array<ArrayBuffer> {
  const call = makeDialogue()
  call[call.length - 2 - seed * 2] = 1
  return call
}

const library = async (token = user.accessToken) =>
  (await server.call(api.recordings.list, { token })).data.recordings.map(({ name }) => name).toSorted()
const filesIn = async (path: string) => (await readdir(path).catch(() => [])).toSorted()
const until = (assertion: () => Promise<void>) => vi.waitFor(assertion, { timeout: 45_000, interval: 50 })

test('takes recordings of a user in as watch.json says, and moves them to done', async () => {
  const settings = { language: 'ur', channel_languages: ['ps', 'en'], target_languages: ['en', 'fa'] }
  await writeFile(join(own, 'watch.json'), JSON.stringify(settings))
  await writeFile(join(own, 'د زنګ غږ.wav'), makeCall())
  await watch()
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['د زنګ غږ.wav']))
  expect(await library()).toEqual(['د زنګ غږ.wav'])
  expect(batches).toMatchObject([
    {
      ownerId: user.id,
      request: {
        transcribe: { language: 'ur', channel_languages: ['ps', 'en'] },
        target_languages: ['en', 'fa'],
        selection: { ids: [expect.any(String)] },
      },
    },
  ])
  expect(await filesIn(own)).toEqual(['done', 'watch.json'])
})

test('a file that is still being written is taken once, when it has stopped growing', async () => {
  await watch({ settleMs: 1_500 })
  const whole = makeCall()
  const file = await open(join(own, 'growing.wav'), 'w')
  for (let at = 0; at < whole.length; at += 20_000) {
    await file.write(whole, at, Math.min(20_000, whole.length - at))
    await file.sync()
  }
  await file.close()
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['growing.wav']))
  expect(await library()).toEqual(['growing.wav'])
  const { data } = await server.call(api.recordings.list, { token: user.accessToken })
  expect(data.recordings[0]?.size).toBe(whole.length)
})

test('a file under the name of an unfinished copy waits until it is renamed', async () => {
  await watch()
  await writeFile(join(own, 'copy.wav.part'), makeCall())
  await writeFile(join(own, 'other.wav'), makeCall(1))
  await until(async () => expect(await library()).toEqual(['other.wav']))
  await rename(join(own, 'copy.wav.part'), join(own, 'copy.wav'))
  await until(async () => expect(await library()).toEqual(['copy.wav', 'other.wav']))
})

test('what is no recording goes to failed with its reason; a link is not followed', async () => {
  await writeFile(join(own, 'letter.docx'), 'Dear colleagues')
  await writeFile(join(own, 'broken.mp3'), 'not music at all, but long enough to be looked at')
  await writeFile(join(own, 'empty.wav'), '')
  await writeFile(join(folder, 'outside.wav'), makeCall(2))
  await symlink(join(folder, 'outside.wav'), join(own, 'link.wav'))
  await watch()
  await until(async () => expect(await filesIn(join(own, 'failed'))).toHaveLength(8))
  const reason = async (name: string) => readFile(join(own, 'failed', `${name}.txt`), 'utf8')
  expect(await reason('letter.docx')).toContain('letter.docx is not a supported audio format')
  expect(await reason('broken.mp3')).toContain('not a MP3 file')
  expect(await reason('empty.wav')).toContain('empty')
  expect(await reason('link.wav')).toContain('links are not followed')
  expect(await library()).toEqual([])
  expect(await filesIn(own)).toEqual(['failed'])
  await until(async () => expect(await filesIn(folder)).toContain('awaz-problem.txt'))
})

/** Watches, and rewrites a file after it has been imported but before it has been moved. */
async function watchWhileWritten(name: string, before: Uint8Array, after: Uint8Array) {
  await writeFile(join(own, name), before)
  let isWritten = false
  await watch({
    async startBatch(ownerId, request) {
      if (isWritten) return startBatch(ownerId, request)
      isWritten = true
      await writeFile(join(own, name), after)
      throw new Error('tried again')
    },
  })
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual([name]))
}

test('a file that goes on growing after it was taken is taken again when it is whole', async () => {
  const whole = makeCall()
  await watchWhileWritten('slow.wav', whole.slice(0, 100_000), whole)
  const { data } = await server.call(api.recordings.list, { token: user.accessToken })
  expect(data.recordings.map(({ size }) => size)).toEqual([whole.length])
})

test('another file of the same name, while the first one waits for its work, is another recording', async () => {
  await watchWhileWritten('latest.wav', makeCall(3), makeCall(4))
  expect(await library()).toEqual(['latest.wav', 'latest.wav'])
})

test.skipIf(process.getuid?.() === 0)('a file that may not be read goes to failed', async () => {
  await writeFile(join(own, 'closed.wav'), makeCall())
  await chmod(join(own, 'closed.wav'), 0)
  await watch()
  await until(async () => expect(await filesIn(join(own, 'failed'))).toEqual(['closed.wav', 'closed.wav.txt']))
})

test('a recording that the library has already is not taken again, and says so', async () => {
  await upload(server, user.accessToken, { name: 'first.wav', content: makeCall() })
  await writeFile(join(own, 'again.wav'), makeCall())
  await watch()
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['again.wav', 'again.wav.txt']))
  expect(await readFile(join(own, 'done', 'again.wav.txt'), 'utf8')).toContain('already, as "first.wav"')
  expect(await library()).toEqual(['first.wav'])
})

test('a crash after a file was stored and before it was moved takes nothing twice and leaves nothing out', async () => {
  await writeFile(join(own, 'call.wav'), makeCall())
  const first = await watch({
    startBatch: async () => {
      throw new Error('killed here')
    },
  })
  await until(async () => expect(await library()).toEqual(['call.wav']))
  await first.close()
  expect(await filesIn(own)).toEqual(['call.wav'])
  await watch()
  await until(async () => expect(await filesIn(join(own, 'done'))).toContain('call.wav'))
  expect(await library()).toEqual(['call.wav'])
  expect(batches).toHaveLength(1)
})

test('a file that cannot be moved is worked on once', async () => {
  await writeFile(join(own, 'call.wav'), makeCall())
  let hasFailed = false
  await watch({
    async startBatch(ownerId, request) {
      if (!hasFailed) await writeFile(join(own, 'done'), 'in the way')
      hasFailed = true
      return startBatch(ownerId, request)
    },
  })
  await until(async () => expect(await filesIn(own)).toEqual(['call.wav', 'done']))
  await until(async () => expect(batches).toHaveLength(1))
  await writeFile(join(own, 'watch.json'), '{}')
  await until(async () => expect(await filesIn(own)).toContain('awaz-problem.txt'))
  await rm(join(own, 'done'))
  await writeFile(join(own, 'watch.json'), '{ }')
  await until(async () => expect(await filesIn(join(own, 'done'))).toContain('call.wav'))
  expect(batches).toHaveLength(1)
})

test('a folder that belongs to nobody, and a watch.json with a mistake, say so and lose nothing', async () => {
  const foreign = join(folder, 'stranger@example.org')
  await mkdir(foreign)
  await writeFile(join(foreign, 'call.wav'), makeCall())
  await writeFile(join(own, 'watch.json'), '{ "langauge": "ps" }')
  await writeFile(join(own, 'call.wav'), makeCall(1))
  await watch()
  const problem = (path: string) => readFile(join(path, 'awaz-problem.txt'), 'utf8')
  await until(async () => expect(await problem(foreign)).toContain('no user with the e-mail address'))
  await until(async () => expect(await problem(own)).toContain('langauge'))
  expect(await filesIn(foreign)).toEqual(['awaz-problem.txt', 'call.wav'])
  await writeFile(join(own, 'watch.json'), '{ "language": "ps" }')
  await until(async () => expect(await filesIn(own)).toEqual(['done', 'watch.json']))
  expect(await library()).toEqual(['call.wav'])
})

test('recordings in the folder of a case become those of its owner, and belong to the case', async () => {
  const { accessToken: token } = user
  const created = await server.call(api.cases.create, { body: { name: 'Harbour' }, token })
  await mkdir(join(folder, 'harbour', 'monday'), { recursive: true })
  await writeFile(join(folder, 'harbour', 'monday', 'call.wav'), makeCall())
  await watch()
  await until(async () => expect(await filesIn(join(folder, 'harbour', 'monday'))).toEqual(['done']))
  const { data } = await server.call(api.cases.listRecordings, { params: { id: created.data.id }, token })
  expect(data.recordings.map(({ recording }) => recording.name)).toEqual(['call.wav'])
})

test('links of whoever may write to a folder lead Awaz to no other one', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'awaz-outside-'))
  await writeFile(join(outside, 'secret.txt'), 'secret')
  const [problem, moved, linked] = [join(own, 'problem'), join(own, 'moved'), join(own, 'linked')]
  for (const path of [problem, moved, linked]) await mkdir(path)
  await symlink(join(outside, 'secret.txt'), join(problem, 'awaz-problem.txt'))
  await writeFile(join(problem, 'watch.json'), 'no settings')
  await symlink(outside, join(moved, 'done'))
  await writeFile(join(outside, 'watch.json'), '{ "transcribe": false }')
  await symlink(join(outside, 'watch.json'), join(linked, 'watch.json'))
  for (const path of [problem, moved, linked]) await writeFile(join(path, 'call.wav'), makeCall())
  await watch()
  const reason = (path: string) => readFile(join(path, 'awaz-problem.txt'), 'utf8')
  await until(async () => expect(await reason(problem)).toContain('not valid JSON'))
  await until(async () => expect(await reason(moved)).toContain('"done" is no folder of its own'))
  await until(async () => expect(await reason(linked)).toContain('watch.json cannot be read'))
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  expect(await filesIn(outside)).toEqual(['secret.txt', 'watch.json'])
  expect(await library()).toEqual([])
  await rm(outside, { recursive: true })
})

test('a note is not written through a link that waits for it', async () => {
  const target = join(folder, 'elsewhere')
  await mkdir(join(own, 'failed'))
  await symlink(target, join(own, 'failed', 'empty.wav.txt'))
  await writeFile(join(own, 'empty.wav'), '')
  await watch()
  await until(async () => expect(await filesIn(join(own, 'failed'))).toContain('empty (2).wav.txt'))
  expect(await filesIn(folder)).not.toContain('elsewhere')
})

test('nobody gets the files of another by the name of a case', async () => {
  const { accessToken: token } = user
  const { connection } = server.services.work
  await insertCase(connection, { ownerId: user.id, name: 'Quay', colour: 'slate', notes: '' })
  const thief = await server.createSignedIn()
  const names = ['quay', ...Array.from({ length: 100 }, (_, index) => `quay ${index}`), 'new.colleague@example.org']
  const add = (name: string) => insertCase(connection, { ownerId: thief.id, name, colour: 'slate', notes: '' })
  await Promise.all(names.map(add))
  for (const name of ['Quay', 'new.colleague@example.org']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'call.wav'), makeCall())
  }
  await watch()
  const problem = (name: string) => readFile(join(folder, name, 'awaz-problem.txt'), 'utf8')
  await until(async () => expect(await problem('Quay')).toContain('2 cases are named "Quay"'))
  await until(async () => expect(await problem('new.colleague@example.org')).toContain('no user with'))
  expect([...(await library(thief.accessToken)), ...(await library(token))]).toEqual([])
})

test('languages that no model knows leave the recording in the library, with a note', async () => {
  await writeFile(join(own, 'call.wav'), makeCall())
  await watch({
    startBatch: async () => {
      throw new AppError('unsupported_language', 'No model knows Pashto')
    },
  })
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['call.wav', 'call.wav.txt']))
  expect(await readFile(join(own, 'done', 'call.wav.txt'), 'utf8')).toContain('No model knows Pashto')
})

test('of two servers one takes the files', async () => {
  await watch()
  await watch()
  for (let seed = 0; seed < 5; seed += 1) await writeFile(join(own, `call-${seed}.wav`), makeCall(seed))
  await until(async () => expect(await filesIn(join(own, 'done'))).toHaveLength(5))
  expect(await library()).toHaveLength(5)
})
