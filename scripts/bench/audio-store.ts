import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { noiseFile } from '#testing/noise-file.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { upload } from '#testing/uploads.ts'

const mebibyte = 1024 ** 2
const kinds = ['folder', 'gridfs'] as const

/**
 * Uploads and plays one file with each kind of AUDIO_STORE, taking turns, on the embedded database on the same disk. Options: --megabytes 100,
 * --rounds 4, --folder DIR (default: the temporary folder).
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    megabytes: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '4' },
    folder: { type: 'string', default: tmpdir() },
  } as const
  const { values } = parseArgs({ args, options })
  const folder = await mkdtemp(join(values.folder, 'awaz-bench-audio-store-'))
  const content = noiseFile(Number(values.megabytes) * mebibyte)
  const database = await startEmbeddedDatabase({
    dataFile: join(folder, 'db.sqlite'),
    socketPath: join(folder, 'db.sock'),
  })
  try {
    const servers = await Promise.all(
      kinds.map((audioStore) =>
        startTestServer({
          data: { dataDir: join(folder, audioStore), uri: database.uri, dbName: audioStore },
          isEachUploadMeasured: true,
          config: { audioStore, quotaBytes: 0, maxUploadBytes: content.length },
        }),
      ),
    )
    const times: Record<string, number[]> = {}
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [at, kind] of kinds.entries()) {
        const server = servers[at]
        if (!server) continue
        const { uploadMs, playMs } = await measure(server, content)
        ;(times[`${kind} upload`] ??= []).push(uploadMs)
        ;(times[`${kind} play`] ??= []).push(playMs)
      }
    }
    for (const [name, ms] of Object.entries(times)) {
      const rates = ms.map((time) => (content.length / mebibyte / time) * 1000)
      console.log(`${name}: ${median(rates).toFixed(0)} MB/s (${rates.map((rate) => rate.toFixed(0)).join(', ')})`)
    }
    for (const action of ['upload', 'play']) {
      const [a = [], b = []] = kinds.map((kind) => times[`${kind} ${action}`])
      console.log(`${action}: gridfs at ${(median(a) / median(b)).toFixed(2)} of the folder's speed`)
    }
    for (const server of servers) await server.close()
  } finally {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(server: TestServer, content: Uint8Array<ArrayBuffer>) {
  const { accessToken: token } = await server.createSignedIn()
  const began = performance.now()
  const { status, body } = await upload(server, token, { name: 'noise.wav', content })
  const uploaded = performance.now()
  if (status !== 201) throw new Error(JSON.stringify(body))
  const headers = { Authorization: `Bearer ${token}` }
  const played = await (await fetch(`${server.url}/api/audio/${body.file_id}`, { headers })).bytes()
  const playMs = performance.now() - uploaded
  if (Buffer.compare(played, content) !== 0) throw new Error('What is played is not what was sent')
  await fetch(`${server.url}/api/recordings/${body.file_id}`, { method: 'DELETE', headers })
  return { uploadMs: uploaded - began, playMs }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
