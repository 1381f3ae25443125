import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { decodingFor } from '#engine/speech/decode-settings.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import type { SpeechResult } from './metrics.ts'
import { watchPeakMemory } from './process-tree.ts'
import { productLanguage } from './sample-language.ts'
import type { ReferenceRecording } from './sample.ts'

export interface EvaluateSpeechOptions {
  model: SpeechModel
  /** Keeps the model loaded between recordings; closed by the caller. */
  backends: SpeechBackendCache
  items: readonly ReferenceRecording[]
  signal?: AbortSignal
  onResult?: (result: SpeechResult, done: number) => void
}

export interface SpeechEvaluation {
  results: SpeechResult[]
  /** Messages about recordings that could not be read, which are skipped. */
  unreadable: string[]
  peakMemoryBytes: number
}

/**
 * Transcribes each recording as the product does, with its language given. The model is loaded before timing starts. A recording on
 * which the model fails counts as an empty text.
 *
 * @throws AppError `unreadable_audio` if no recording can be read; `job_cancelled`; `unsupported_language`; `model_unavailable`
 */
export async function evaluateSpeech(options: EvaluateSpeechOptions): Promise<SpeechEvaluation> {
  const { model, backends, items, signal, onResult } = options
  const [first] = items
  if (!first) return { results: [], unreadable: [], peakMemoryBytes: 0 }
  const memory = watchPeakMemory()
  const results: SpeechResult[] = []
  const unreadable: string[] = []
  let peakMemoryBytes = 0
  try {
    await loadModel(first, { model, backends, signal })
    for (const item of items) {
      await withDecoded(item, signal, async (decoded) => {
        const result = await transcribe(item, decoded, { model, backends, signal })
        results.push(result)
        onResult?.(result, results.length)
      }).catch((error: unknown) => {
        if (!isUnreadable(error)) throw error
        unreadable.push(`${item.name}: ${error.message}`)
      })
    }
  } finally {
    peakMemoryBytes = memory.stop()
  }
  if (results.length === 0) throw new AppError('unreadable_audio', unreadable[0] ?? 'No recording could be read.')
  return { results, unreadable, peakMemoryBytes }
}

function isUnreadable(error: unknown): error is AppError {
  return error instanceof AppError && ['unreadable_audio', 'unsupported_audio', 'no_audio'].includes(error.code)
}

type RunContext = Pick<EvaluateSpeechOptions, 'model' | 'backends' | 'signal'>

/** The engine starts and loads its model with the first call. */
async function loadModel({ language }: ReferenceRecording, { model, backends, signal }: RunContext): Promise<void> {
  const backend = await backends.use(model, { signal })
  const code = toTranscriptionLanguage(language)
  await backend.transcribe(new Float32Array(sampleRate), { language: code, decoding: decodingFor(model, code), signal })
}

async function transcribe(item: ReferenceRecording, decoded: DecodedAudio, context: RunContext): Promise<SpeechResult> {
  const { model, backends, signal } = context
  const startedAt = performance.now()
  let text = ''
  let hasFailed = false
  try {
    const language = toTranscriptionLanguage(item.language)
    text = (await transcribeRecording(decoded, { model, language, backends, signal })).transcription
  } catch (error) {
    if (signal?.aborted) throw cancellationError(signal)
    if (!(error instanceof AppError) || error.code !== 'internal') throw error
    hasFailed = true
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  return { item, text, hasFailed, elapsedSeconds, seconds: decoded.durationMs / 1000 }
}

async function withDecoded(
  { path }: ReferenceRecording,
  signal: AbortSignal | undefined,
  use: (decoded: DecodedAudio) => Promise<void>,
): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-evaluate-'))
  try {
    await use(await decodeAudio(path, { workDir, signal }))
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

function toTranscriptionLanguage(language: string) {
  const code = productLanguage(language)
  const choice = TranscriptionLanguageChoice.safeParse(code)
  if (choice.success && choice.data !== 'auto' && choice.data !== 'multi') return choice.data
  throw new AppError('unsupported_language', `"${language}" is not a language Awaz transcribes.`)
}
