import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as requestHttps } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultMaxUploadBytes, UploadResult } from '#contract/entities/recording.ts'
import { testRate, wavHeader } from '#testing/audio.ts'
import { createCertificate } from '#testing/certificate.ts'
import { findFreePort } from '#testing/free-port.ts'
import { lacks } from '#testing/needs.ts'
import { noiseFile, sha256 } from '#testing/noise-file.ts'
import { tusHeader } from '#testing/resumable-uploads.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles } from '#testing/uploads.ts'

const examples = join(import.meta.dirname, '..', '..', 'docker', 'proxy')

interface ProxyFiles {
  folder: string
  port: number
  serverPort: string
}

/** Returns an example configuration with its addresses and files replaced by those of the test. */
async function readExample(name: string, replacements: Record<string, string>): Promise<string> {
  let example = await readFile(join(examples, name), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    expect(example).toContain(from)
    example = example.replaceAll(from, to)
  }
  return example
}

async function startNginx({ folder, port, serverPort }: ProxyFiles): Promise<ChildProcess> {
  const site = await readExample('nginx.conf', {
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/ssl/awaz.pem': join(folder, 'certificate.pem'),
    '/etc/ssl/awaz.key': join(folder, 'key.pem'),
    '127.0.0.1:5000': `127.0.0.1:${serverPort}`,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const lines = ['daemon off;', `pid ${folder}/pid;`, 'events {}', 'http {', 'access_log off;', ...temporary, site, '}']
  await writeFile(join(folder, 'nginx.conf'), lines.join('\n'))
  return spawn('/usr/sbin/nginx', ['-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
}

async function startCaddy({ folder, port, serverPort }: ProxyFiles): Promise<ChildProcess> {
  const site = await readExample('Caddyfile', {
    'awaz.example.org {': `https://localhost:${port} {`,
    '/etc/ssl/awaz.pem': join(folder, 'certificate.pem'),
    '/etc/ssl/awaz.key': join(folder, 'key.pem'),
    '127.0.0.1:5000': `127.0.0.1:${serverPort}`,
  })
  await writeFile(
    join(folder, 'Caddyfile'),
    `{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace_period 1s\n}\n${site}`,
  )
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], { stdio: 'ignore', env })
}

const proxies = [
  { name: 'nginx', need: 'nginx', start: startNginx },
  { name: 'Caddy', need: 'caddy', start: startCaddy },
] as const

describe.each(proxies)('behind $name as in the example', ({ need, start }) => {
  const isMissing = lacks(need, 'openssl')
  let folder: string
  let server: TestServer
  let proxy: ChildProcess | undefined
  let origin: string
  let user: SignedInUser

  beforeAll(async () => {
    if (isMissing) return
    folder = await mkdtemp(join(tmpdir(), 'awaz-proxy-'))
    await chmod(folder, 0o755) // when root starts nginx, its workers run as another user
    await createCertificate(folder, 'DNS:localhost,IP:127.0.0.1')
    const port = await findFreePort()
    origin = `https://localhost:${port}`
    server = await startTestServer({ config: { trustProxyHops: 1, publicUrl: origin } })
    proxy = await start({ folder, port, serverPort: new URL(server.url).port })
    await vi.waitUntil(async () => (await send('/healthz').catch(() => undefined))?.statusCode === 200, 20_000)
    user = await server.createSignedIn()
  })
  afterAll(async () => {
    if (isMissing) return
    if (proxy && proxy.exitCode === null) {
      proxy.kill('SIGTERM')
      await once(proxy, 'exit')
    }
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function send(
    path: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
  ): Promise<IncomingMessage> {
    const request = requestHttps(new URL(path, origin), { method, headers, rejectUnauthorized: false, agent: false })
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage] // by its documentation
    return response
  }

  const authorization = () => ({ Authorization: `Bearer ${user.accessToken}` })

  /** Uploads silence of this size. Returns the id. */
  async function uploadSilence(sizeBytes: number): Promise<string> {
    const wav = Buffer.alloc(sizeBytes)
    wav.set(wavHeader(sizeBytes - 44, 2))
    wav.writeInt16LE(testRate, 44)
    const head =
      '--edge\r\nContent-Disposition: form-data; name="audio"; filename="long.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), wav, Buffer.from('\r\n--edge--\r\n')])
    const headers = {
      ...authorization(),
      'Content-Type': 'multipart/form-data; boundary=edge',
      'Content-Length': String(body.length),
    }
    const response = await send(api.audio.upload.path, { method: 'POST', headers, body })
    const answer = await text(response)
    expect({ status: response.statusCode, answer }).toMatchObject({ status: 201 })
    return UploadResult.parse(JSON.parse(answer)).file_id
  }

  test.skipIf(isMissing)('the largest recording is taken, and played from any place', async () => {
    const id = await uploadSilence(defaultMaxUploadBytes)
    const headers = { ...authorization(), Range: 'bytes=104857000-104857099' }
    const part = await send(`/api/audio/${id}`, { headers })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, 'bytes 104857000-104857099/104857600'])
    expect((await buffer(part)).length).toBe(100)
  })

  test.skipIf(isMissing)('an upload in parts goes on where its connection was cut', async () => {
    const content = noiseFile(3 * 1024 ** 2)
    const metadata = `filename ${Buffer.from('long.wav').toString('base64')}`
    const announced = { 'Upload-Length': String(content.length), 'Upload-Metadata': metadata }
    const created = await send(api.uploads.create.path, {
      method: 'POST',
      headers: { ...authorization(), ...tusHeader, ...announced },
    })
    const { location = '' } = created.headers
    const readOffset = async () => {
      const head = await send(location, { method: 'HEAD', headers: { ...authorization(), ...tusHeader } })
      return Number(head.headers['upload-offset'])
    }
    const partHeaders = (offset: number) => ({
      ...authorization(),
      ...tusHeader,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(content.length - offset),
    })
    const cut = requestHttps(new URL(location, origin), {
      method: 'PATCH',
      headers: partHeaders(0),
      rejectUnauthorized: false,
      agent: false,
    })
    cut.on('error', () => undefined)
    await new Promise((resolve) => cut.write(content.subarray(0, 2 * 1024 ** 2), resolve))
    await vi.waitFor(async () => expect(await listAudioFiles(server)).toContainEqual(expect.stringMatching(/part$/)))
    cut.destroy()
    await vi.waitFor(async () => expect(await readOffset()).toBeGreaterThan(0), 10_000)
    const offset = await readOffset()
    const rest = await send(location, {
      method: 'PATCH',
      headers: partHeaders(offset),
      body: Buffer.from(content.subarray(offset)),
    })
    expect([rest.statusCode, rest.headers['upload-offset']]).toEqual([204, String(content.length)])
    const finished = await send(`${location}/finish`, { method: 'POST', headers: authorization() })
    expect(UploadResult.parse(JSON.parse(await text(finished)))).toMatchObject({
      name: 'long.wav',
      size: content.length,
    })
    const played = await send(`/api/audio/${location.split('/').at(-1)}`, { headers: authorization() })
    expect(sha256(await buffer(played))).toBe(sha256(content))
  })

  test.skipIf(isMissing)('an event arrives while its stream goes on', async () => {
    const response = await send(api.jobs.events.path, { headers: authorization() })
    expect(response.headers['content-type']).toBe('text/event-stream')
    const [chunk] = (await once(response, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer] // by its documentation
    expect(chunk.toString()).toMatch(/^(event|data|:)/)
    expect(response.complete).toBe(false)
    response.destroy()
  })

  test.skipIf(isMissing)('the address in the audit trail is that of the client, whatever it claims', async () => {
    const admin = await server.createSignedIn({ role: 'admin' })
    const body = Buffer.from(JSON.stringify({ email: 'nobody@example.org', password: 'not the password' }))
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' }
    expect((await send(api.auth.signIn.path, { method: 'POST', headers, body })).statusCode).toBe(401)
    const query = { action: 'auth.signin', search: 'nobody@example.org' }
    const { events } = (await server.call(api.admin.audit, { query, token: admin.accessToken })).data
    expect(events[0]?.ip_address).toMatch(/^(127\.0\.0\.1|::1)$/)
  })

  test.skipIf(isMissing)('nobody reads metrics without the token', async () => {
    expect((await send('/metrics')).statusCode).toBe(403)
  })
})
