import { createServer } from 'node:https'
import { afterEach, expect, test } from 'vitest'
import { AllowedHostList } from '#data/network-ranges.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts'
import { createSender } from './send.ts'
import { parseTarget, type Resolve } from './target.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function startReceiver(...input: Parameters<typeof startWebhookReceiver>): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(...input)
  closers.push(receiver.close)
  return receiver
}

interface Options {
  allow?: string
  isOffline?: boolean
  resolve?: Resolve
  timeoutMs?: number
}

function rulesOf({ allow = '', isOffline = false }: Options) {
  return { allowed: AllowedHostList.parse(allow), isOffline }
}

function parse(url: string, { resolve = async () => ['127.0.0.1'], ...options }: Options = {}) {
  return parseTarget(url, rulesOf(options), resolve)
}

function send(url: string, { resolve = async () => ['127.0.0.1'], timeoutMs = 5000, ...options }: Options = {}) {
  const sender = createSender({ rules: rulesOf(options), resolve, timeoutMs })
  return sender({ url, headers: { 'X-Test': 'yes' }, body: '{"a":1}' }, new AbortController().signal)
}

test('a message arrives with its headers at a private address that is allowed', async () => {
  const receiver = await startReceiver()
  expect(await send(receiver.url, { allow: '127.0.0.0/8' })).toEqual({
    status: 204,
    durationMs: expect.any(Number),
    error: null,
  })
  expect(receiver.requests).toMatchObject([{ path: '/hook', headers: { 'x-test': 'yes' }, body: '{"a":1}' }])
})

test.each([200, 201, 299, 302, 307, 404, 500])(
  '%i is judged by its class alone, and no redirect is followed',
  async (status) => {
    const other = await startReceiver()
    const receiver = await startReceiver((response) => response.writeHead(status, { Location: other.url }).end())
    const result = await send(receiver.url, { allow: '127.0.0.1' })
    expect(result).toMatchObject({ status })
    expect(result.error === null).toBe(status < 300)
    expect(other.requests).toEqual([])
  },
)

const privateAddresses = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  'fe80::1',
  '64:ff9b::7f00:1',
]

test.each(privateAddresses)('nothing is sent to %s, neither by address nor by name', async (address) => {
  const { port, requests } = await startReceiver()
  const literal = address.includes(':') ? `[${address}]` : address
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://${literal}:${port}/hook`
    expect((await send(url)).error).toContain('WEBHOOK_ALLOW_PRIVATE')
    await expect(parse(url)).rejects.toThrow('WEBHOOK_ALLOW_PRIVATE')
    const named = await send(`${scheme}://hooks.test:${port}/hook`, { resolve: async () => ['8.8.8.8', address] })
    expect(named).toMatchObject({
      status: null,
      error: expect.stringContaining(scheme === 'http' ? 'https' : 'PRIVATE'),
    })
  }
  expect(requests).toEqual([])
})

test.each(['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://localhost/', 'http://a.localhost/'])(
  '%s is recognized as local',
  async (url) => {
    await expect(parse(url)).rejects.toThrow('WEBHOOK_ALLOW_PRIVATE')
  },
)

test.each(['ftp://example.org/', 'javascript:alert(1)', 'example.org/hook', 'https://user:secret@example.org/'])(
  '%s is no address of a webhook',
  async (url) => {
    await expect(parse(url)).rejects.toThrow(/address/)
  },
)

const plainSentence = 'Plain http would show everybody what is sent. Please use an address with https.'
const toPublic: Resolve = async () => ['8.8.8.8']

test.each<[string, Options]>([
  ['where no private address is allowed', {}],
  ['where private networks are allowed and the host is public', { allow: '10.0.0.0/8', resolve: toPublic }],
  ['where the host is allowed by name and public', { allow: 'hooks.test', resolve: toPublic }],
])('plain http to a host is refused when the webhook is saved, %s', async (_, options) => {
  await expect(parse('http://hooks.test/in', options)).rejects.toThrow(plainSentence)
  expect(await parse('https://hooks.test/in#part', options)).toBe('https://hooks.test/in')
})

test.each<[string, Options]>([
  ['a private address', { allow: '10.0.0.0/8', resolve: async () => ['10.0.0.7'] }],
  ['an address that is not known yet', { allow: '10.0.0.0/8', resolve: () => Promise.reject(new Error('ENOTFOUND')) }],
  ['a private address, by its name', { allow: 'hooks.test', resolve: async () => ['10.0.0.7'] }],
])('plain http is saved for a host that leads to %s', async (_, options) => {
  expect(await parse('http://hooks.test/in', options)).toBe('http://hooks.test/in')
})

test('a name is resolved once: the connection goes to the address that was checked', async () => {
  const receiver = await startReceiver()
  let count = 0
  const result = await send(`http://rebinding.test:${receiver.port}/hook`, {
    allow: '127.0.0.1',
    // A second lookup would return an address without a receiver.
    resolve: async () => (count++ === 0 ? ['127.0.0.1'] : ['127.0.0.9']),
  })
  expect(result.status).toBe(204)
  expect(receiver.requests[0]?.headers.host).toBe(`rebinding.test:${receiver.port}`)
  expect(count).toBe(1)
})

test('plain http and an offline server reach allowed private addresses alone', async () => {
  const resolve = async () => ['8.8.8.8']
  expect((await send('http://example.org/', { resolve })).error).toContain('https')
  expect((await send('https://example.org/', { resolve, isOffline: true })).error).toContain('offline')
  const receiver = await startReceiver()
  expect((await send(receiver.url, { allow: '127.0.0.1', isOffline: true })).error).toBeNull()
})

test('a host that is allowed by name is reached', async () => {
  const receiver = await startReceiver()
  expect((await send(`http://hooks.test:${receiver.port}/`, { allow: 'hooks.test' })).error).toBeNull()
})

test('a certificate that nobody vouches for is refused, and so is a server without encryption', async () => {
  const requests: string[] = []
  const server = createServer({ key: selfSigned.key, cert: selfSigned.cert }, (request, response) => {
    requests.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const secure = await send(`https://receiver.test:${port}/`, { allow: '127.0.0.1' })
  expect(secure).toMatchObject({
    status: null,
    error: 'No secure connection could be made (DEPTH_ZERO_SELF_SIGNED_CERT).',
  })
  const plain = await startReceiver()
  const insecure = await send(`https://receiver.test:${plain.port}/`, { allow: '127.0.0.1' })
  expect(insecure.error).toContain('No secure connection could be made')
  expect([requests, plain.requests]).toEqual([[], []])
})

test('a receiver that does not answer in time has failed', async () => {
  const receiver = await startReceiver(() => undefined)
  const result = await send(receiver.url, { allow: '127.0.0.1', timeoutMs: 200 })
  expect(result).toMatchObject({ status: null, error: expect.stringContaining('No response came within') })
  expect(receiver.requests).toHaveLength(1)
})

test('a name that is not resolved in time has failed', async () => {
  const result = await send('https://slow.test/', { resolve: () => new Promise(() => undefined), timeoutMs: 100 })
  expect(result.error).toContain('No response came within')
})

test('an endless response is not read to its end', async () => {
  const hasStopped = Promise.withResolvers<void>()
  const receiver = await startReceiver((response) => {
    response.on('close', () => hasStopped.resolve())
    const write = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', write)
    }
    write()
  })
  expect((await send(receiver.url, { allow: '127.0.0.1' })).status).toBe(200)
  await hasStopped.promise
})

test('a refused connection and an unknown name say so', async () => {
  const receiver = await startReceiver()
  await receiver.close()
  closers.length = 0
  expect((await send(receiver.url, { allow: '127.0.0.1' })).error).toBe('The receiver refused the connection.')
  const resolve = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' })
  }
  expect((await send('https://nowhere.test/', { resolve })).error).toContain('could not be resolved')
})

/** Key and certificate of receiver.test, for these tests only, valid until 2126. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxZYWMqblctVHSBY1
60KtBbEuRy52yRd+0kMtS30QBK+hRANCAAQPV4B5cHG/uMxvg3n4jbAhKHZN3Txd
2O+py8uQMSzDCN6b7od4KnfuER5EhqdUNSR7b3t3IkqmZIHGw0ZV2MNT
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUSLVDjanZO+2WusCpxRm8orBg9tEwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMjIxODMxMjdaGA8yMTI2
MTAyOTE4MzEyN1owGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABA9XgHlwcb+4zG+DefiNsCEodk3dPF3Y76nLy5AxLMMI
3pvuh3gqd+4RHkSGp1Q1JHtve3ciSqZkgcbDRlXYw1OjbTBrMB0GA1UdDgQWBBTi
JRctYyTkTDejhWrfpOuyw1yCJjAfBgNVHSMEGDAWgBTiJRctYyTkTDejhWrfpOuy
w1yCJjAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXJlY2VpdmVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIhAN3x8oC0ItsnRiCdrssFdveSh36YaqjJepq2X/sk
WwTvAiAZ0ur/3MJ4h0zMXgkMJIiXF4EM1iwxH0DOw+rQ2TRKtg==
-----END CERTIFICATE-----`,
}
