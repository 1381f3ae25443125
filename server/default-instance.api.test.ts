import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { makeDialogue } from '#testing/uploads.ts'

// The calls of both specifications (accounts specification, section 7; audio-workflow specification, section 7) as programs make them, on a
// server with default settings: with the first token, and again after signing in a second time.
let server: TestServer
let password = ''
beforeAll(async () => {
  server = await startTestServer({ config: { signIn: {} } })
})
afterAll(() => server.close())

interface Request {
  body?: object | FormData
  headers?: Record<string, string>
}

type Answer = Record<string, unknown>

/** Returns a caller for one signed-in user that records the calls that failed. */
function createCaller(token: string) {
  const failures: string[] = []
  const state = { token }

  /** Sends `GET /api/auth/profile` and the like. Returns the body. */
  async function send(call: string, { body, headers }: Request = {}): Promise<Answer> {
    const [method = '', path = ''] = call.split(' ')
    const isForm = body instanceof FormData
    const response = await fetch(server.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${state.token}`,
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) failures.push(`${call}: ${response.status} ${text}`)
    return response.headers.get('Content-Type')?.includes('json') ? (JSON.parse(text) as Answer) : {}
  }

  return { send, failures, state }
}

type Caller = ReturnType<typeof createCaller>

async function signIn(email: string): Promise<Caller> {
  const response = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, remember_me: false }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string } // without it the next call fails
  return createCaller(token)
}

let changes = 0

async function changePassword({ send, state }: Caller): Promise<void> {
  changes += 1
  const next = `Chosen-harvest${changes}7!`
  const body = { current_password: password, new_password: next }
  const { access_token: token } = await send('POST /api/auth/change-password', { body })
  state.token = String(token)
  password = next
}

async function walkOwnAccount({ send }: Caller, email: string): Promise<void> {
  await send('GET /api/auth/profile')
  await send('PUT /api/auth/profile', { body: { first_name: 'Nadia', last_name: 'Khan', email } })
  await send('POST /api/auth/resend-verification')
  const { secret } = await send('POST /api/auth/2fa/enable')
  const codeAt = (steps: number) =>
    generate({ secret: String(secret), epoch: Math.floor(server.clock.now() / 1000) + steps * 30 })
  await send('POST /api/auth/2fa/verify', { body: { token: await codeAt(0) } })
  await send('POST /api/auth/2fa/disable', { headers: { 'X-TOTP-Token': await codeAt(1) } })
  await send('GET /api/auth/sessions')
}

async function walkWorkflow({ send }: Caller): Promise<void> {
  const form = new FormData()
  form.append('audio', new Blob([makeDialogue()]), 'call.wav')
  const { file_id } = await send('POST /api/upload', { body: form })
  await send(`GET /api/audio/${String(file_id)}`)
  await send('GET /api/languages')
  // Nothing is transcribed here: the answer says that the job is waiting.
  const headers = { Prefer: 'respond-async' }
  await send('POST /api/transcribe', { body: { file_id, language: 'ps' }, headers })
  await send('POST /api/translate', { body: { text: 'سلام', source_language: 'ps', target_language: 'en' }, headers })
  await send('POST /api/speaker-diarization', { body: { file_id, with_transcription: true }, headers })
  await send('GET /api/auth/keywords')
  await send('POST /api/auth/keywords', { body: { keywords: { threats: ['bomb'] } } })
  await send('POST /api/auth/keywords/category/threats', { body: { keyword: 'attack' } })
  await send('DELETE /api/auth/keywords/category/threats')
}

async function walkAdministration({ send }: Caller, name: string): Promise<void> {
  const create = async (username: string) => {
    const body = { email: `${username}@example.org`, username, password: 'Harvest-moon7', role: 'user' }
    const { user } = await send('POST /api/auth/super-admin/create-user', { body })
    return (user as { id: string } | undefined)?.id // without it the calls that follow fail
  }
  const [id, other] = [await create(`${name}.one`), await create(`${name}.two`)]
  await send('GET /api/auth/admin/users?page=1&per_page=10&search=')
  await send(`GET /api/auth/admin/users/${id}`)
  await send(`PUT /api/auth/admin/users/${id}/role`, { body: { role: 'admin' } })
  await send(`PUT /api/auth/admin/users/${id}/status`, { body: { is_active: true } })
  await send(`DELETE /api/auth/admin/users/${id}/sessions`)
  await send('GET /api/auth/admin/stats')
  await send('GET /api/auth/super-admin/users?page=1&per_page=10&role=user&exclude_self=true')
  await send(`POST /api/auth/super-admin/users/${id}/reset-password`, { body: { new_password: 'Other-harvest8!' } })
  await send(`PUT /api/auth/super-admin/users/${id}/role`, { body: { role: 'user' } })
  await send(`DELETE /api/auth/super-admin/users/${id}`)
  await send(`DELETE /api/auth/admin/users/${other}`)
}

async function walk(email: string, { asAdmin }: { asAdmin?: string }): Promise<string[]> {
  const caller = await signIn(email)
  await changePassword(caller)
  await walkOwnAccount(caller, email)
  await walkWorkflow(caller)
  if (asAdmin) await walkAdministration(caller, asAdmin)
  await caller.send('DELETE /api/auth/sessions')
  return caller.failures
}

test('the first administrator makes every call in the first session, and in those that follow', async () => {
  const stored = await readFile(join(server.config.dataDir, 'initial-admin-password'), 'utf8')
  const [email = '', initial = ''] = stored.split('\n')
  password = initial
  for (const session of ['first', 'second', 'third']) {
    expect({ session, failures: await walk(email, { asAdmin: session }) }).toEqual({ session, failures: [] })
  }
})

test('a created user makes every call of users in the first session, and in those that follow', async () => {
  const { accessToken } = await server.createSignedIn({ role: 'super_admin', hasTwoFactorGrace: true })
  const admin = createCaller(accessToken)
  const email = 'created@example.org'
  password = 'Harvest-moon7'
  const body = { email, username: 'created', password, role: 'user' }
  await admin.send('POST /api/auth/super-admin/create-user', { body })
  expect(admin.failures).toEqual([])
  for (const session of ['first', 'second', 'third']) {
    expect({ session, failures: await walk(email, {}) }).toEqual({ session, failures: [] })
  }
})
