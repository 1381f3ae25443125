import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { lacks } from '#testing/needs.ts'
import { realModelsDir } from '#testing/real-data.ts'
import { readClips, withFolder } from '../voices/clips.ts'
import { findModel, transcribeFile, createBackends } from '../voices/product.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { openServers, transcribeByServers, withRecording } from './remote-product.ts'
import { startRealServer } from './real-server.ts'
import type { RealServer } from './real-server.ts'

const python = process.env.AWAZ_SPEECH_SERVER_PYTHON ?? ''

function open(servers: RealServer[]) {
  const remote = openServers(servers.map(({ address }) => address))
  onTestFinished(() => remote.close())
  return remote
}

describe.skipIf(lacks('whisperCt2', 'whisperOnnx', 'recordings', 'speechServer'))(
  'a real faster-whisper-server',
  () => {
    let servers: RealServer[] = []

    beforeAll(async () => {
      const options = { python, modelsDir: realModelsDir }
      servers = await Promise.all([startRealServer(options), startRealServer(options)])
    })

    afterAll(() => Promise.all(servers.map((server) => server.kill())))

    test('writes as the local engine does, within a point of WER', async () => {
      const remote = open(servers)
      const backends = createBackends()
      const model = await findModel('whisper-base-onnx', realModelsDir)
      const errors = { words: 0, local: 0, remote: 0 }
      try {
        for (const { path, language, transcript } of await readClips({ only: ['en'], perCorpus: 4 })) {
          const said = foldedWords(transcript)
          const local = await transcribeFile(path, { model, language, backends })
          const result = await withFolder(async (workDir) =>
            transcribeByServers(await decodeAudio(path, { workDir }), { remote, language }),
          )
          errors.words += said.length
          errors.local += editDistance(said, foldedWords(local.result.transcription))
          errors.remote += editDistance(said, foldedWords(result.transcription))
        }
      } finally {
        await backends.close()
      }
      expect(errors.words).toBeGreaterThan(50)
      expect((errors.remote - errors.local) / errors.words).toBeLessThanOrEqual(0.01)
    }, 600_000)

    test('a call is cancelled within two seconds, and the server takes others', async () => {
      await withRecording(1, async (decoded) => {
        const remote = open(servers.slice(0, 1))
        const controller = new AbortController()
        const call = transcribeByServers(decoded, { remote, language: 'en', signal: controller.signal })
        call.catch(() => undefined)
        await vi.waitFor(() => expect(remote.describe()[0]?.in_flight).toBe(1), { timeout: 30_000 })
        const cancelledAt = performance.now()
        controller.abort()
        await expect(call).rejects.toMatchObject({ code: 'job_cancelled' })
        expect(performance.now() - cancelledAt).toBeLessThan(2000)
        expect(remote.describe()[0]).toMatchObject({ in_flight: 0, failed: 0 })
        const again = await transcribeByServers(decoded, { remote, language: 'en' })
        expect(again.segments.length).toBeGreaterThan(0)
      })
    })

    test('a call is whole when one of two servers is killed while it works', async () => {
      await withRecording(2, async (decoded) => {
        const options = { language: 'en', maxWindowMs: 10_000 } as const
        const [first, second] = servers
        if (!first || !second) throw new Error('There are no servers')
        const expected = await transcribeByServers(decoded, { ...options, remote: open([first]) })
        const remote = open([first, second])
        const call = transcribeByServers(decoded, { ...options, remote })
        await vi.waitFor(() => expect(remote.describe()[1]?.in_flight).toBe(1), { timeout: 30_000 })
        await second.kill()
        expect(await call).toEqual(expected)
        expect(remote.describe()[1]).toMatchObject({ is_reachable: false })
      })
    })
  },
)
