import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { Schema } from 'mongoose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCertificate } from '#testing/certificate.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { lacks } from '#testing/needs.ts'
import type { RequiredCredentials } from '#testing/scripted-mongo/authentication.ts'
import { startScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { connectClient, connectDatabase, openDatabase } from './connect.ts'
import { createConnectionReport, describeConnectionFailure } from './connection-failures.ts'

const user = { user: 'awaz', password: 'p@ss/w:rd' }
const named = `awaz:${encodeURIComponent(user.password)}@`
let direct: TestDatabase

beforeAll(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
})
afterAll(() => direct.drop())

interface Secured {
  tls?: TlsOptions
  requiredUser?: RequiredCredentials
}

/** Starts a server that restricts access. Returns a function that makes its connection strings. */
async function startSecured(options: Secured) {
  const mongo = await startScriptedMongo({ upstreamUri: direct.uri, kind: 'standalone', ...options })
  onTestFinished(() => mongo.close())
  return ({ login = '', query = '', host = '127.0.0.1' } = {}) =>
    mongo.uri.replace('/awaz?', `/${direct.dbName}?`).replace('//127.0.0.1', `//${login}${host}`) + query
}

async function writeAndRead(uri: string) {
  const database = await connectDatabase({ mongodbUri: uri })
  onTestFinished(() => database.close())
  const notes = database.connection.model('note', new Schema({ text: String }))
  const { _id } = await notes.create({ text: 'kept' })
  const client = await connectClient(uri)
  onTestFinished(() => client.close())
  return client.db(direct.dbName).collection('notes').findOne({ _id })
}

/** Returns the reason given for the failure of the first attempt to connect. */
async function failureOf(uri: string): Promise<string | undefined> {
  const failed = Promise.withResolvers<unknown>()
  const database = openDatabase({ mongodbUri: uri }, { onFailure: failed.resolve })
  onTestFinished(() => database.close())
  return describeConnectionFailure(await failed.promise)?.reason
}

describe('a database that asks for a password', () => {
  test('is used by the user in the URI, by mongoose and by the driver alone', async () => {
    const uriFor = await startSecured({ requiredUser: user })
    expect(await writeAndRead(uriFor({ login: named, query: '&authSource=admin' }))).toMatchObject({ text: 'kept' })
  })

  test('says so where the password is wrong, the user unknown, or the URI names none', async () => {
    const uriFor = await startSecured({ requiredUser: user })
    const refused = 'MongoDB refuses the user of MONGODB_URI, or the password or certificate.'
    expect(await failureOf(uriFor({ login: 'awaz:wrong@' }))).toBe(refused)
    expect(await failureOf(uriFor({ login: 'other:wrong@' }))).toBe(refused)
    expect(await failureOf(uriFor())).toMatch(/^MongoDB does not let the user of MONGODB_URI read its database/)
  })

  test('ends a command with that, and with what to do', async () => {
    const uriFor = await startSecured({ requiredUser: user })
    const connecting = connectDatabase(
      { mongodbUri: uriFor({ login: 'awaz:wrong@' }) },
      { firstConnectionTimeoutMs: 500 },
    )
    await expect(connecting).rejects.toMatchObject({
      code: 'unavailable',
      message: 'MongoDB refuses the user of MONGODB_URI, or the password or certificate.',
      help: expect.stringContaining('authSource'),
    })
  })

  test('is told in the log once, however often it is tried', async () => {
    const uriFor = await startSecured({ requiredUser: user })
    const log = { error: vi.fn(), warn: vi.fn() }
    const report = createConnectionReport(log)
    const twice = Promise.withResolvers<void>()
    let attempts = 0
    const onFailure = (error: unknown) => {
      report(error)
      attempts += 1
      if (attempts === 2) twice.resolve()
    }
    const database = openDatabase({ mongodbUri: uriFor({ login: 'awaz:wrong@' }) }, { onFailure })
    onTestFinished(() => database.close())
    await twice.promise
    expect(log.error.mock.calls).toEqual([
      [
        { help: expect.stringContaining('authSource') },
        'MongoDB refuses the user of MONGODB_URI, or the password or certificate. Trying again every second.',
      ],
    ])
    expect(log.warn).not.toHaveBeenCalled()
  })
})

describe.skipIf(lacks('openssl'))('a database behind TLS', () => {
  let folder: string
  let tls: TlsOptions
  const path = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-tls-'))
    for (const name of ['server', 'client', 'stranger']) await mkdir(path(name))
    const { key, certificate: cert } = await createCertificate(path('server'), 'IP:127.0.0.1', '/CN=server')
    const client = await createCertificate(path('client'), 'DNS:client', '/CN=awaz,OU=hosts')
    const stranger = await createCertificate(path('stranger'), 'DNS:stranger', '/CN=stranger')
    await writeFile(path('client.pem'), client.key + client.certificate, { mode: 0o600 })
    await writeFile(path('stranger.pem'), stranger.key + stranger.certificate, { mode: 0o600 })
    tls = { key, cert, ca: [client.certificate], requestCert: true, rejectUnauthorized: false }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const trusted = () => `&tls=true&tlsCAFile=${encodeURIComponent(path('server/certificate.pem'))}`
  const by = (name: string) =>
    `&authMechanism=MONGODB-X509&authSource=$external&tlsCertificateKeyFile=${encodeURIComponent(path(name))}`

  test('is used with its authority in the URI, and a password', async () => {
    const uriFor = await startSecured({ tls, requiredUser: user })
    const query = `${trusted()}&authSource=admin`
    expect(await writeAndRead(uriFor({ login: named, query }))).toMatchObject({ text: 'kept' })
  })

  test('is used by a client certificate in place of a password; another one is refused', async () => {
    const uriFor = await startSecured({ tls, requiredUser: 'certificate' })
    expect(await writeAndRead(uriFor({ query: trusted() + by('client.pem') }))).toMatchObject({ text: 'kept' })
    const refused = await failureOf(uriFor({ query: trusted() + by('stranger.pem') }))
    expect(refused).toBe('MongoDB refuses the user of MONGODB_URI, or the password or certificate.')
  })

  test('is refused where its certificate cannot be trusted, with the reason', async () => {
    const uriFor = await startSecured({ tls })
    const plainUriFor = await startSecured({})
    const missing = `&tls=true&tlsCAFile=${encodeURIComponent(path('missing.pem'))}`
    const failures = [
      uriFor({ query: '&tls=true' }),
      uriFor({ query: trusted(), host: 'localhost' }),
      uriFor({ query: missing }),
      plainUriFor({ query: trusted() }),
    ].map(failureOf)
    expect(await Promise.all(failures)).toEqual([
      'The certificate of MongoDB was not issued by an authority that this machine knows.',
      'The certificate of MongoDB is for another host than the one in MONGODB_URI.',
      `A file that MONGODB_URI names cannot be read: ${path('missing.pem')}.`,
      'The connection to MongoDB ended before TLS began.',
    ])
  })

  test('that accepts known client certificates alone says so', async () => {
    const uriFor = await startSecured({ tls: { ...tls, rejectUnauthorized: true } })
    expect(await failureOf(uriFor({ query: trusted() }))).toBe('MongoDB asks for a client certificate.')
  })
})
