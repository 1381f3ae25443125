import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { filesIn, makeCall, until } from './testing/watched-folder.ts'

const { status, bind } = api.watchFolder

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-watch-'))
  server = await startTestServer({ config: { watchFolder: { folder, settleMs: 200 } } })
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const read = async () => (await server.call(status, { token: admin.accessToken })).data
const find = async (name: string) => (await read()).folders.find((each) => each.name === name)
const rebind = (name: string, recipient: string | null) =>
  server.call(bind, { token: superAdmin.accessToken, body: { folder: name, recipient } })

/** Creates a folder with a file that is stored but not transcribed. */
async function fill(name: string, file = 'call.wav', settings = '{ "transcribe": false }') {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'watch.json'), settings)
  await writeFile(join(folder, name, file), makeCall(1))
}

test('says of each folder whose it is, what was taken, what waits and why', async () => {
  const user = await server.createSignedIn()
  const created = await server.call(api.cases.create, { body: { name: 'Bridge' }, token: user.accessToken })
  await fill(user.email)
  await fill('Bridge', 'call.wav', '{ "langauge": "ps" }')
  await fill('stranger@example.org')
  await writeFile(join(folder, 'loose.wav'), makeCall())
  await until(async () => {
    expect(await find(user.email)).toMatchObject({
      recipient: { kind: 'user', id: user.id, name: user.email, owner: user.email },
      bound_at: expect.any(String),
      is_present: true,
      waiting: 0,
      problems: [],
      last_taken_at: expect.any(String),
    })
    expect(await find('Bridge')).toMatchObject({
      recipient: { kind: 'case', id: created.data.id, name: 'Bridge', owner: user.email },
      waiting: 1,
      problems: [{ path: '', reason: expect.stringContaining('langauge') }],
      problem_count: 1,
      last_taken_at: null,
    })
    expect(await find('stranger@example.org')).toMatchObject({
      recipient: null,
      waiting: 1,
      problems: [{ path: '', reason: expect.stringContaining('no user with the e-mail address') }],
      problem_count: 1,
    })
    expect(await read()).toMatchObject({
      folder,
      checked_at: expect.any(String),
      waiting: 1,
      problems: [{ path: '', reason: expect.stringContaining('Put recordings into a folder') }],
    })
  })
})

test('a folder whose name is not in UTF-8 is told with the reason', async () => {
  await mkdir(Buffer.from(`${folder}/caf\u00e9`, 'latin1'))
  const reason = 'The name of the folder "caf\ufffd" is not in UTF-8. Rename this folder.'
  await until(async () => expect((await read()).problems).toContainEqual({ path: 'caf\ufffd', reason }))
  await rm(Buffer.from(`${folder}/caf\u00e9`, 'latin1'), { recursive: true })
})

test('a super admin binds a folder to a user or a case, and what waited is imported', async () => {
  const user = await server.createSignedIn()
  const { data } = await server.call(api.cases.create, { body: { name: 'Tunnel' }, token: user.accessToken })
  await fill('nobody’s')
  await until(async () =>
    expect(await find('nobody’s')).toMatchObject({ recipient: null, waiting: 1, problem_count: 1 }),
  )
  expect((await rebind('nobody’s', user.email.toUpperCase())).status).toBe(200)
  await until(async () => expect(await filesIn(join(folder, 'nobody’s', 'done'))).toEqual(['call.wav']))
  expect((await rebind('nobody’s', data.id)).status).toBe(200)
  expect(await find('nobody’s')).toMatchObject({ recipient: { kind: 'case', name: 'Tunnel', owner: user.email } })
  const { data: trail } = await server.call(api.admin.audit, {
    token: admin.accessToken,
    query: { action: 'watch_folder.bind' },
  })
  expect(trail.events).toMatchObject([
    { actor: superAdmin.email, target: data.id, details: 'nobody’s' },
    { actor: superAdmin.email, details: 'nobody’s' },
  ])
})

test('the name of a folder that a super admin unbinds is looked up again', async () => {
  const [first, second] = [await server.createSignedIn(), await server.createSignedIn()]
  const create = (name: string, user: SignedInUser) =>
    server.call(api.cases.create, { body: { name }, token: user.accessToken })
  const { data } = await create('Ferry', first)
  await mkdir(join(folder, 'Ferry'))
  await until(async () => expect(await find('Ferry')).toMatchObject({ recipient: { owner: first.email } }))
  await server.call(api.cases.remove, { params: { id: data.id }, token: first.accessToken })
  expect(await find('Ferry')).toMatchObject({ recipient: { id: data.id, name: null, owner: null } })
  await create('Ferry', second)
  expect((await rebind('Ferry', null)).status).toBe(200)
  await until(async () => expect(await find('Ferry')).toMatchObject({ recipient: { owner: second.email } }))
})

test('a folder that is gone stays bound; one that was bound to nothing is forgotten', async () => {
  const user = await server.createSignedIn()
  for (const name of [user.email, 'gone']) await mkdir(join(folder, name))
  await until(async () => expect(await find('gone')).toMatchObject({ problem_count: 1 }))
  await until(async () => expect(await find(user.email)).toMatchObject({ recipient: { id: user.id } }))
  for (const name of [user.email, 'gone']) await rm(join(folder, name), { recursive: true })
  await until(async () => expect(await find('gone')).toBeUndefined())
  await until(async () =>
    expect(await find(user.email)).toMatchObject({ is_present: false, recipient: { id: user.id } }),
  )
})

test('nothing is bound to a user or case that is not there, nor a folder that is not', async () => {
  await mkdir(join(folder, superAdmin.email))
  await until(async () => expect(await find(superAdmin.email)).toBeDefined())
  for (const [name, recipient] of [
    [superAdmin.email, 'who@example.org'],
    [superAdmin.email, 'f'.repeat(24)],
    ['no such folder', superAdmin.email],
  ] as const) {
    expect((await rebind(name, recipient)).error).toMatchObject({ code: 'not_found' })
  }
})

test('without a watch folder there is nothing to tell', async () => {
  const other = await startTestServer()
  const { accessToken: token } = await other.createSignedIn({ role: 'admin' })
  const { data } = await other.call(status, { token })
  expect(data).toEqual({ folder: null, checked_at: null, waiting: 0, problems: [], folders: [] })
  await other.close()
})

test('says that the watch folder itself is not there, and forgets no binding', async () => {
  const user = await server.createSignedIn()
  await mkdir(join(folder, user.email))
  await until(async () => expect(await find(user.email)).toMatchObject({ recipient: { id: user.id } }))
  await rename(folder, `${folder}.away`)
  const reason = `Awaz cannot look into ${folder}. It is not there.`
  await until(async () => expect((await read()).problems).toEqual([{ path: '', reason }]))
  expect(await find(user.email)).toMatchObject({ is_present: true, recipient: { id: user.id } })
  await rename(`${folder}.away`, folder)
  await until(async () => expect((await read()).problems).not.toContainEqual({ path: '', reason }))
})
