import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { api } from '#contract/api.ts'
import { resumablePartBytes } from '#contract/endpoints/uploads.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { wavHeader } from '#testing/audio.ts'
import { startServerProcess, type TestProcess } from '#testing/processes.ts'
import { startCuttingProxy, uploadWithClient } from '#testing/resumable-uploads.ts'
import { startTestServer } from '#testing/server.ts'

const mebibyte = 1024 ** 2

/**
 * Uploads noise in parts as the web app does, whole and over a connection that is cut at random, and compares what the server plays with
 * what was sent. Options: --megabytes 2048, --cuts 20, --folder DIR (default: the temporary folder).
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    megabytes: { type: 'string', default: '2048' },
    cuts: { type: 'string', default: '20' },
    folder: { type: 'string', default: tmpdir() },
  } as const
  const { values } = parseArgs({ args, options })
  const sizeBytes = Number(values.megabytes) * mebibyte
  const folder = await mkdtemp(join(values.folder, 'awaz-bench-uploads-'))
  const path = join(folder, 'noise.wav')
  const people = await startTestServer()
  const { accessToken: token } = await people.createSignedIn()
  const server = await startServerProcess({
    dataDir: people.config.dataDir,
    database: { uri: people.databaseUri, dbName: new URL(people.databaseUri).pathname.slice(1) },
    env: { MAX_UPLOAD_MB: String(values.megabytes) },
  })
  try {
    const sha256 = await writeNoise(path, sizeBytes)
    const file = { token, path, sizeBytes, sha256 }
    await measure('without a cut', server, { ...file, cutAfter: [] })
    const cuts = Number(values.cuts)
    const cutAfter = Array.from({ length: cuts }, () => Math.ceil((Math.random() * 2 * sizeBytes) / (cuts * 1.2)))
    await measure(`with ${cuts} cuts`, server, { ...file, cutAfter })
  } finally {
    await server.end('SIGTERM')
    await people.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Measured {
  token: string
  path: string
  sizeBytes: number
  sha256: string
  cutAfter: number[]
}

async function measure(
  name: string,
  server: TestProcess & { url: string },
  { token, path, sizeBytes, sha256, cutAfter }: Measured,
): Promise<void> {
  const proxy = await startCuttingProxy(server.url, cutAfter)
  let peakBytes = 0
  const sampling = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(server.pid))), 100)
  const headers = { Authorization: `Bearer ${token}` }
  const began = performance.now()
  const id = await uploadWithClient(proxy.url, token, {
    name: 'noise.wav',
    content: path,
    partBytes: resumablePartBytes,
  })
  const sent = performance.now()
  const finishPath = api.uploads.finish.path.replace(':id', id)
  const response = await fetch(new URL(finishPath, server.url), { method: 'POST', headers })
  const text = await response.text()
  if (response.status !== 201) throw new Error(text)
  const { file_id } = UploadResult.parse(JSON.parse(text))
  const finished = performance.now()
  clearInterval(sampling)
  proxy.close()
  const isSame = (await playedHash(`${server.url}/api/audio/${file_id}`, headers)) === sha256
  await fetch(`${server.url}/api/recordings/${file_id}`, { method: 'DELETE', headers })
  console.log(
    [
      `${name}: ${(sizeBytes / mebibyte).toFixed()} MB sent in ${seconds(sent - began)}`,
      `${proxy.cuts()} connections cut`,
      `${((proxy.sentBytes() - sizeBytes) / mebibyte).toFixed(1)} MB sent twice or as headers`,
      `checked and stored in ${seconds(finished - sent)}`,
      `memory of the server at most ${(peakBytes / mebibyte).toFixed()} MB`,
      isSame ? 'the same SHA-256' : 'ANOTHER SHA-256',
    ].join('; '),
  )
  if (!isSame) process.exitCode = 1
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

async function playedHash(url: string, headers: Record<string, string>): Promise<string> {
  const { body } = await fetch(url, { headers })
  if (!body) throw new Error('Nothing is played')
  const hash = createHash('sha256')
  for await (const chunk of Readable.fromWeb(body) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** Returns the SHA-256. */
async function writeNoise(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  try {
    for (let at = 0; at < sizeBytes; at += mebibyte) {
      const block = randomBytes(mebibyte)
      if (at === 0) block.set(wavHeader(sizeBytes - 44, 2, 48_000))
      hash.update(block)
      await file.write(block)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
