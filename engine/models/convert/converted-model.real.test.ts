import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { JobAccepted, JobWithResult } from '#contract/entities/job.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { TranscriptionResult } from '#contract/transcription.ts'
import { callApi, signInAsFirstAdmin } from '#testing/api-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { lacks } from '#testing/needs.ts'
import { startEngineProcess, startServerProcess, type TestProcess } from '#testing/processes.ts'
import { realDataDir, realModelsDir, whisperCt2Dir } from '#testing/real-data.ts'
import { writeRealHuggingFaceFolder } from '#testing/real-whisper-folder.ts'
import { importModel } from '../store/import-model.ts'
import { saveLocalEntry } from '../store/local-catalog.ts'
import type { StoreProgress } from '../store/store-options.ts'
import { useModel } from '../store/use-model.ts'

const clip = join(realDataDir, 'speech', 'en-007.flac')

describe.skipIf(lacks('whisperBase', 'recordings'))('a converted model in the whole product', () => {
  let folder: string
  let modelsDir: string
  let database: TestDatabase
  const processes: TestProcess[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-converted-'))
    modelsDir = join(folder, 'models')
    await mkdir(modelsDir)
    database = await createTestDatabase()
  })
  afterEach(() => Promise.all(processes.map((running) => running.end('SIGKILL'))))
  afterAll(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Chooses a model for English and transcribes the clip with it. Persian uses five beams, and so takes four times as long. */
  async function transcribeWith(id: string, url: string, token: string, fileId: string): Promise<TranscriptionResult> {
    await useModel(
      id,
      { language: 'en' },
      {
        modelsDir,
        modelsMirror: undefined,
        isOffline: true,
        speechModel: undefined,
        speechModelByLanguage: {},
        translationModel: undefined,
      },
    )
    const json = { file_id: fileId, language: 'en', force: true }
    const { job_id } = await callApi(JobAccepted, `${url}/api/transcribe`, { token, json })
    return vi.waitFor(
      async () => {
        const job = await callApi(JobWithResult, `${url}/api/jobs/${job_id}`, { token })
        expect(job.state).toBe('done')
        return TranscriptionResult.parse(job.result)
      },
      { timeout: 200_000, interval: 500 },
    )
  }

  test.skipIf(lacks('whisperCt2'))(
    'writes what the ggml file writes, and says which model it was',
    { timeout: 600_000 },
    async () => {
      const huggingFace = join(folder, 'whisper-fine-tuned')
      await writeRealHuggingFaceFolder(huggingFace)
      const onProgress = vi.fn<(progress: StoreProgress) => void>()
      const { model } = await importModel(huggingFace, { id: 'from-safetensors' }, { modelsDir }, { onProgress })
      const converted = onProgress.mock.calls.map(([progress]) => progress).filter(({ stage }) => stage === 'convert')
      expect(Math.max(...converted.map(({ done }) => done))).toBeGreaterThan(140_000_000)
      expect(converted.at(-1)?.done).toBe(converted.at(-1)?.total)
      await importModel(whisperCt2Dir, { id: 'from-ctranslate2', name: 'Half', quantize: true }, { modelsDir })
      const file = 'from-ggml.bin'
      await copyFile(join(realModelsDir, 'ggml-base.bin'), join(modelsDir, file))
      const unchecked = { sizeBytes: null, sha1: null, sha256: null }
      await saveLocalEntry(modelsDir, { ...model, id: 'from-ggml', file, ...unchecked })

      const env = { MODELS_DIR: modelsDir, SPEECH_MODEL: '', SPEECH_MODEL_BY_LANGUAGE: '' }
      const server = await startServerProcess({ dataDir: folder, database, env })
      processes.push(server, await startEngineProcess({ dataDir: folder, database, env }))
      const token = await signInAsFirstAdmin(server.url, folder)
      const form = new FormData()
      form.append('audio', new Blob([await readFile(clip)]), 'call.flac')
      const { file_id } = await callApi(UploadResult, `${server.url}/api/upload`, { token, form })

      const results = []
      for (const id of ['from-ggml', 'from-safetensors', 'from-ctranslate2']) {
        results.push(await transcribeWith(id, server.url, token, file_id))
      }
      const [ggml, safetensors, quantized] = results
      expect(ggml?.transcription).toMatch(/never been surpassed/iu)
      expect(safetensors?.transcription).toBe(ggml?.transcription)
      expect(quantized?.transcription).toMatch(/never been surpassed/iu)
      expect(results.map(({ provenance }) => provenance?.map(({ model_id }) => model_id))).toEqual([
        ['from-ggml'],
        ['from-safetensors'],
        ['from-ctranslate2'],
      ])
      const hashes = new Set(results.map(({ provenance }) => provenance?.[0]?.model_hash))
      expect([...hashes].every((hash) => /^[0-9a-f]{64}$/.test(hash ?? ''))).toBe(true)
      expect(hashes.size).toBe(3)
    },
  )
})
