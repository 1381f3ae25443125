import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { listWatchFolders } from '#data/watch-folders/watch-folders.ts'
import { createFolderBinder } from './folder-watch.ts'
import { filesIn, makeCall, until, useWatchedFolder } from './testing/watched-folder.ts'

const context = useWatchedFolder()

const recordingsOf = async (caseId: string) => {
  const { data } = await context.server.call(api.cases.listRecordings, {
    params: { id: caseId },
    token: context.user.accessToken,
  })
  return data.recordings.map(({ recording }) => recording.name).toSorted()
}

/** Watches a folder named after a case until its first file has been imported. */
async function watchCase(name: string) {
  const id = await context.createCase(name)
  const folder = await context.fill(name, { 'first.wav': makeCall() })
  await context.watch()
  await until(async () => expect(await filesIn(join(folder, 'done'))).toEqual(['first.wav']))
  return { id, folder, params: { id } }
}

async function putNext(folder: string) {
  await writeFile(join(folder, 'next.wav'), makeCall(1))
}

test('a recording that a folder adds to its case is in the audit trail, once', async () => {
  const { id } = await watchCase('Slipway')
  const details = `case ${id}, watch folder`
  const stored = context.server.services.database.connection.collection('audit_events')
  expect(await stored.find({ action: 'case.recording_add', details }).toArray()).toMatchObject([
    { actor: '', recordingOwner: context.user.email },
  ])
})

test('a stranger’s case of the same name in other capitals does not stop the folder of a case', async () => {
  const { id, folder } = await watchCase('Harbour east')
  const stranger = await context.server.createSignedIn()
  await context.createCase('HARBOUR EAST', stranger.accessToken)
  await putNext(folder)
  await until(async () => expect(await filesIn(join(folder, 'done'))).toEqual(['first.wav', 'next.wav']))
  expect(await recordingsOf(id)).toEqual(['first.wav', 'next.wav'])
})

test('a folder stays that of its case when it is renamed and a stranger takes its name', async () => {
  const { id, params, folder } = await watchCase('Quayside')
  const { accessToken: token } = context.user
  await context.server.call(api.cases.update, { params, body: { name: 'Closed' }, token })
  const stranger = await context.server.createSignedIn()
  await context.createCase('Quayside', stranger.accessToken)
  await putNext(folder)
  await until(async () => expect(await filesIn(join(folder, 'done'))).toEqual(['first.wav', 'next.wav']))
  expect(await recordingsOf(id)).toEqual(['first.wav', 'next.wav'])
  expect(await context.library(stranger.accessToken)).toEqual([])
})

test('a folder stays that of its user when they get another address and a stranger theirs', async () => {
  const { server, user, own } = context
  await writeFile(join(own, 'first.wav'), makeCall())
  await context.watch()
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['first.wav']))
  await server.services.users.update(user.id, { email: `moved.${user.email}` })
  const stranger = await server.createSignedIn({ email: user.email })
  await putNext(own)
  await until(async () => expect(await filesIn(join(own, 'done'))).toEqual(['first.wav', 'next.wav']))
  expect(await context.library()).toEqual(['first.wav', 'next.wav'])
  expect(await context.library(stranger.accessToken)).toEqual([])
})

test('the folder of a case that was deleted gives nothing to whoever makes a case of its name', async () => {
  const { params, folder } = await watchCase('Warehouse')
  await context.server.call(api.cases.remove, { params, token: context.user.accessToken })
  const stranger = await context.server.createSignedIn()
  await context.createCase('Warehouse', stranger.accessToken)
  await putNext(folder)
  const problem = () => readFile(join(folder, 'awaz-problem.txt'), 'utf8')
  await until(async () => expect(await problem()).toContain('The case that this folder belongs to was deleted.'))
  expect(await context.library(stranger.accessToken)).toEqual([])
})

test('a folder is bound when it is first seen, before a file is in it', async () => {
  const id = await context.createCase('Pier')
  await mkdir(join(context.folder, 'Pier'))
  await context.watch()
  const find = async (name: string) =>
    (await listWatchFolders(context.server.services.work.connection)).find((each) => each.name === name)?.recipient
  await until(async () => expect(await find('Pier')).toEqual({ kind: 'case', id }))
  await until(async () => expect(await find(context.user.email)).toEqual({ kind: 'user', id: context.user.id }))
})

test('a folder that two cases could mean at first sight is bound to none', async () => {
  const first = await context.createCase('Depot')
  const stranger = await context.server.createSignedIn()
  const second = await context.createCase('DEPOT', stranger.accessToken)
  const folder = await context.fill('Depot', { 'call.wav': makeCall() })
  const byId = await context.fill(first, { 'call.wav': makeCall(1) })
  await context.watch()
  const problem = () => readFile(join(folder, 'awaz-problem.txt'), 'utf8')
  await until(async () => expect(await problem()).toContain('2 cases are named "Depot"'))
  for (const id of [first, second]) expect(await problem()).toContain(id)
  await until(async () => expect(await filesIn(byId)).toEqual(['done']))
  expect(await filesIn(folder)).toEqual(['awaz-problem.txt', 'call.wav'])
  expect(await recordingsOf(first)).toEqual(['call.wav'])
})

test('a name that nothing has is looked up more and more rarely, and bound once somebody has it', async () => {
  const { services } = context.server
  const { connection } = services.work.queue
  const lookedUpAt: number[] = []
  let nowMs = 0
  const users = {
    ...services.users,
    findByEmail(email: string) {
      lookedUpAt.push(nowMs)
      return services.users.findByEmail(email)
    },
  }
  const binder = createFolderBinder(
    { connection, users, log: pino({ level: 'silent' }) },
    { signal: new AbortController().signal, retryMs: 60, now: () => nowMs, onBound: () => undefined },
  )
  const bindAt = async (name: string, atMs: number) => {
    nowMs = atMs
    await binder.bindAll([Buffer.from(name)], [])
  }
  for (let atMs = 0; atMs <= 2_000; atMs += 20) await bindAt('nobody@awaz.example', atMs)
  expect(lookedUpAt).toEqual([0, 60, 180, 420, 900, 1_380, 1_860])
  expect(binder.listProblems()).toHaveLength(1)
  await bindAt(context.user.email, 2_000)
  expect(binder.listProblems()).toEqual([])
})
