import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { mountReadOnly, mountSmallDisk } from '#testing/small-disk.ts'
import { demoSpeechPath, demoTranslatorPath, storeConfig, writeLocalCatalog } from './testing/models-folder.ts'
import { startModelServer } from './testing/model-server.ts'
import type { RequestHandler } from './testing/model-server.ts'
import { pullModel } from './pull-model.ts'
import type { StoreConfig } from './store-options.ts'

let weights: Buffer
let sha256: string
let sha1: string

beforeAll(async () => {
  weights = await readFile(demoSpeechPath)
  sha256 = createHash('sha256').update(weights).digest('hex')
  sha1 = createHash('sha1').update(weights).digest('hex')
})

/** Serves the weights, from the requested byte on. */
function sendWeights(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const headers = { etag: '"v1"', 'content-length': weights.length - from }
  if (from === 0) response.writeHead(200, headers)
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${weights.length - 1}/${weights.length}` })
  response.end(weights.subarray(from))
}

/** Sends only part of the announced length, then drops the connection. */
function sendPart(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { etag: '"v1"', 'content-length': weights.length })
  response.write(weights.subarray(0, bytes), () => setImmediate(() => response.destroy()))
}

/** Sends the content chunked, without a length. */
function sendUnannounced(response: ServerResponse, content: Buffer): void {
  response.flushHeaders()
  response.end(content)
}

/** Compares the bytes directly, because toEqual takes seconds for megabytes. */
async function holdsWeights(path: string): Promise<boolean> {
  return (await readFile(path)).equals(weights)
}

async function installation(entry: object, given: Partial<StoreConfig> = {}): Promise<StoreConfig> {
  const config = await storeConfig(given)
  await writeLocalCatalog(config.modelsDir, entry)
  return config
}

function pull(config: StoreConfig, options: Parameters<typeof pullModel>[2] = {}) {
  return pullModel('ours', config, { env: {}, retryMs: 1, idleMs: 20_000, ...options })
}

/** Lists the files of the models folder, to show that nothing is partly written or left over. */
async function visible(config: StoreConfig): Promise<string[]> {
  return (await readdir(config.modelsDir)).filter((name) => !name.endsWith('.json'))
}

test('a model is downloaded, checked and then visible, with its hash known', async () => {
  const { url, requests } = await startModelServer(sendWeights)
  const config = await installation({ url, sizeBytes: weights.length, sha1 })
  const progress: number[] = []
  const pulled = await pull(config, { onProgress: ({ done }) => progress.push(done) })
  expect(pulled).toMatchObject({ path: join(config.modelsDir, 'ours.bin'), isNew: true })
  expect(await holdsWeights(pulled.path)).toBe(true)
  expect(await visible(config)).toEqual(['ours.bin'])
  expect(Math.max(...progress)).toBe(weights.length)
  expect(JSON.parse(await readFile(join(config.modelsDir, 'registry.json'), 'utf8')).files[pulled.path]).toMatchObject({
    sha256,
  })
  expect(await pull(config)).toMatchObject({ isNew: false })
  expect(requests).toHaveLength(1)
})

test('a lost connection is resumed where it ended', async () => {
  const { url, requests } = await startModelServer((request, response, count) =>
    count === 1 ? sendPart(response, 3_000_000) : sendWeights(request, response),
  )
  const config = await installation({ url, sha256 })
  const { path } = await pull(config)
  expect(await holdsWeights(path)).toBe(true)
  expect(requests).toHaveLength(2)
  expect(requests[1]?.headers).toMatchObject({ range: expect.stringMatching(/^bytes=[1-9]\d*-$/), 'if-range': '"v1"' })
})

test('the partial file of a failed download is kept and resumed by the next attempt', async () => {
  let isBack = false
  const { url, requests } = await startModelServer((request, response, count) => {
    if (isBack) sendWeights(request, response)
    else if (count === 1) sendPart(response, 3_000_000)
    else response.destroy()
  })
  const config = await installation({ url, sha256 })
  await expect(pull(config)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`${url} could not be downloaded`),
    help: expect.stringMatching(/resume after the [1-9]\d* bytes/),
  })
  expect(await visible(config)).toEqual(['ours.bin.partial'])
  isBack = true
  await pull(config)
  expect(requests.at(-1)?.headers.range).toMatch(/^bytes=[1-9]/)
  expect(await visible(config)).toEqual(['ours.bin'])
})

test('a file that changed on the server is downloaded from the start', async () => {
  const { url } = await startModelServer((_, response, count) => {
    if (count === 1) return sendPart(response, 3_000_000)
    // As If-Range requires: the whole file, because the version has changed.
    response.writeHead(200, { etag: '"v2"', 'content-length': weights.length }).end(weights)
  })
  const config = await installation({ url })
  const { path } = await pull(config)
  expect(await holdsWeights(path)).toBe(true)
})

test('a response with another range than requested is discarded', async () => {
  const { url } = await startModelServer((request, response, count) => {
    if (count === 1) return sendPart(response, 3_000_000)
    if (count > 2) return sendWeights(request, response)
    response.writeHead(206, { etag: '"v1"', 'content-range': `bytes 0-9/${weights.length}`, 'content-length': 10 })
    response.end(weights.subarray(0, 10))
  })
  const config = await installation({ url })
  const { path } = await pull(config)
  expect(await holdsWeights(path)).toBe(true)
})

test.each<[string, () => object, RequestHandler, string]>([
  [
    'announces more than the catalogue knows',
    () => ({ sizeBytes: weights.length }),
    (_, response) => response.writeHead(200, { 'content-length': weights.length + 5 }).end(),
    'it is another file',
  ],
  [
    'sends more than the catalogue knows without announcing it',
    () => ({ sizeBytes: weights.length }),
    (_, response) => sendUnannounced(response, Buffer.concat([weights, Buffer.alloc(500_000)])),
    'sends more than the',
  ],
  [
    'announces a part of the file as the whole',
    () => ({}),
    (_, response) => response.writeHead(200, { 'content-length': 5_000_000 }).end(weights.subarray(0, 5_000_000)),
    'it ends or is damaged inside its weights. It was deleted.',
  ],
  [
    'sends another file of the same size',
    () => ({ sizeBytes: weights.length, sha1 }),
    (_, response) => response.end(Buffer.concat([weights.subarray(0, -1), Buffer.from([1])])),
    'its SHA-1 is',
  ],
  [
    'sends a page instead of the file',
    () => ({ sha256 }),
    (_, response) => response.end('<!doctype html><p>Please sign in'),
    'it is a web page, not a Whisper model in ggml format',
  ],
  ['knows no such file', () => ({}), (_, response) => response.writeHead(404).end(), 'there is no such file (404)'],
  ['asks for an account', () => ({}), (_, response) => response.writeHead(401).end(), 'it asks for an account (401)'],
  ['always fails', () => ({}), (_, response) => response.writeHead(500).end(), 'the server responds with 500'],
])('a server that %s leaves nothing visible', async (_, entry, handler, sentence) => {
  const { url } = await startModelServer(handler)
  const config = await installation({ url, ...entry() })
  await expect(pull(config)).rejects.toThrow(sentence)
  expect(await visible(config)).not.toContain('ours.bin')
})

test('a server that is silent leaves nothing visible', async () => {
  const { url } = await startModelServer((_, response) => {
    response.writeHead(200, { 'content-length': 10 }).flushHeaders()
  })
  const config = await installation({ url })
  await expect(pull(config, { idleMs: 50 })).rejects.toThrow('was silent')
  expect(await visible(config)).not.toContain('ours.bin')
})

test('a file of the hub is checked against the hub’s hash and size', async () => {
  const { url } = await startModelServer((request, response) => {
    if (request.url === '/storage') return void response.end(weights)
    response.writeHead(302, { location: '/storage', 'x-linked-etag': `"${'a'.repeat(64)}"` }).end()
  })
  const config = await installation({ url })
  await expect(pull(config)).rejects.toThrow(`its SHA-256 is ${sha256} instead of ${'a'.repeat(64)}`)
})

test('a redirect of a public server to an internal address is refused, that of an internal mirror is followed', async () => {
  const { port, requests } = await startModelServer((request, response) => {
    if (request.url === '/inside') sendWeights(request, response)
    else response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end()
  })
  const url = 'http://models.example.org/repo/ours.bin'
  const config = await installation({ url })
  // The test server acts as the proxy for that public name.
  const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' }
  await expect(pull(config, { env })).rejects.toMatchObject({
    message: `models.example.org redirects to 127.0.0.1:${port}, an internal address, which is refused.`,
    help: expect.stringContaining('MODELS_MIRROR'),
  })
  expect(requests.map((request) => request.url)).toEqual([url])
  expect(await visible(config)).toEqual([])
  await pull({ ...config, modelsMirror: `http://127.0.0.1:${port}` })
  expect(requests.map((request) => request.url)).toEqual([url, '/repo/ours.bin', '/inside'])
  expect(await visible(config)).toEqual(['ours.bin'])
})

test('an offline installation downloads nothing and says how to import a model', async () => {
  const config = await installation({ url: 'https://example.org/ours.bin' }, { isOffline: true })
  await expect(pull(config)).rejects.toMatchObject({
    message: 'The model Ours cannot be downloaded: this installation is offline (OFFLINE).',
    help: expect.stringContaining('models import PATH'),
  })
})

test('a disk without enough space is refused before anything is written', async () => {
  const { url } = await startModelServer((_, response) => response.writeHead(200, { 'content-length': 10 ** 15 }).end())
  const config = await installation({ url })
  await expect(pull(config)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/free, and 1,000,000,000 MB with a reserve of .* are needed\.$/),
  })
  expect(await visible(config)).toEqual([])
})

test('a disk that fills up during the download is reported, and the model stays invisible', async (context) => {
  const { url } = await startModelServer((_, response) => sendUnannounced(response, weights))
  const config = await storeConfig()
  if (!mountSmallDisk(config.modelsDir, '2m')) return context.skip('only root can mount a small disk')
  await writeLocalCatalog(config.modelsDir, { url })
  await expect(pull(config)).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining('is full') })
  expect(await visible(config)).toEqual(['ours.bin.partial'])
})

test('a read-only folder is reported', async (context) => {
  const { url } = await startModelServer(sendWeights)
  const config = await installation({ url })
  if (!mountReadOnly(config.modelsDir)) return context.skip('only root can mount a folder read-only')
  await expect(pull(config)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/cannot be written: it is read-only\.$/),
    help: expect.stringContaining('MODELS_DIR'),
  })
})

test('a text file in the place of the model is replaced', async () => {
  const { url } = await startModelServer(sendWeights)
  const config = await installation({ url })
  await writeFile(join(config.modelsDir, 'ours.bin'), 'not the weights')
  await pull(config)
  expect((await stat(join(config.modelsDir, 'ours.bin'))).size).toBe(weights.length)
})

test('a translation model where a speech model is expected does not become visible', async () => {
  const translator = await readFile(demoTranslatorPath)
  const { url } = await startModelServer((_, response) => response.end(translator))
  const config = await installation({ url })
  await expect(pull(config)).rejects.toThrow('it is a GGUF file, the format of translation models')
  expect(await visible(config)).toEqual([])
})

test('two processes do not download a model at once; an abandoned lock is taken over', async () => {
  const { url } = await startModelServer(sendWeights)
  const config = await installation({ url, file: 'folder/ours.bin' })
  const lock = join(config.modelsDir, 'folder', 'ours.bin.partial.lock')
  await mkdir(join(config.modelsDir, 'folder'))
  await writeFile(lock, 'elsewhere 1')
  await expect(pull(config)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(lock) })
  await writeFile(lock, `${hostname()} 99999999`)
  await pull(config)
  await rm(join(config.modelsDir, 'folder', 'ours.bin'))
  await writeFile(lock, 'replaced-container 1')
  await utimes(lock, new Date(), new Date(Date.now() - 10 * 60_000))
  await pull(config)
  expect(await readdir(join(config.modelsDir, 'folder'))).toEqual(['ours.bin'])
})

test('an aborted download is resumed later', async () => {
  const cancel = new AbortController()
  const { url } = await startModelServer((request, response, count) => {
    if (count > 1) return sendWeights(request, response)
    response.writeHead(200, { etag: '"v1"', 'content-length': weights.length }).write(weights.subarray(0, 1_000_000))
  })
  const config = await installation({ url })
  const pulling = pull(config, { signal: cancel.signal, onProgress: () => cancel.abort() })
  await expect(pulling).rejects.toMatchObject({ code: 'job_cancelled' })
  await pull(config)
  expect(await visible(config)).toEqual(['ours.bin'])
})
