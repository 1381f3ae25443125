import { afterEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readConfig } from '#data/config.ts'
import { message } from '#testing/messages.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#testing/server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function start(config: TestServerOptions['config']): Promise<TestServer> {
  server = await startTestServer({ config })
  return server
}

function signUp({ call }: TestServer, email: string, username = 'somebody') {
  return call(api.auth.signUp, { body: { email, username, password: 'Harvest-moon7' } })
}

test('closed: nobody can register, and the configuration says so', async () => {
  const started = await start({ signIn: { registration: 'closed' } })
  const { status, error } = await signUp(started, 'somebody@example.org')
  expect([status, error.code, error.error]).toEqual([403, 'registration_closed', message('registration-closed')])
  expect((await started.call(api.system.config)).data).toMatchObject({ registration: 'closed' })
})

test('by invitation: nobody can register without one', async () => {
  const started = await start({ signIn: { registration: 'invitation' } })
  const { status, error } = await signUp(started, 'somebody@example.org')
  expect([status, error.code]).toEqual([403, 'registration_closed'])
  expect(error.error).toBe('Registration is by invitation only. Please ask your administrator for one.')
})

test('by domain: only its addresses can register', async () => {
  const started = await start({ signIn: { registration: 'domains', registration_domains: ['example.org'] } })
  expect((await signUp(started, 'somebody@EXAMPLE.org')).status).toBe(201)
  for (const email of ['x@example.com', 'x@sub.example.org', 'x@notexample.org']) {
    expect((await signUp(started, email, 'other')).error.error).toBe(message('registration-domain'))
  }
})

test('two hundred people behind one address can register within an hour', { tags: ['rounds'] }, async () => {
  const { signUpPerHour } = readConfig({}).rates
  expect(signUpPerHour).toBeGreaterThanOrEqual(200)
  const started = await start({ rates: { signUpPerHour } })
  const statuses: number[] = []
  for (let n = 0; n < roundCount(200); n += 1) {
    statuses.push((await signUp(started, `person.${n}@example.org`, `person.${n}`)).status)
  }
  expect(statuses.filter((status) => status !== 201)).toEqual([])
})

test('a domain must be named', () => {
  expect(() => readConfig({ REGISTRATION: 'domains' })).toThrow(/REGISTRATION_DOMAINS must name a domain/)
  const env = { REGISTRATION: 'domains', REGISTRATION_DOMAINS: '@Example.org, b.cd' }
  expect(readConfig(env).signIn).toEqual({ registration: 'domains', registration_domains: ['example.org', 'b.cd'] })
})
