import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { SpeechServerSettings } from '#data/remote-servers.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { ServerFailure } from '#engine/remote/server-failure.ts'
import { ServerPool } from '#engine/remote/server-pool.ts'
import { createServerClient, type ServerClient } from '#engine/remote/server-client.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { isWhisperLanguage } from '../whisper-cpp/whisper-languages.ts'
import { readTranscription, type RemoteTranscription } from './read-transcription.ts'

/** The transcription servers of an engine process. Their state outlives jobs. */
export interface RemoteSpeech {
  /** Returns a backend that requests this model from the servers. */
  use(model: SpeechModel): SpeechBackend
  describe(): RemoteServerStatus[]
  close(): void
}

export interface RemoteSpeechOptions {
  settings: SpeechServerSettings
  /** Logs server failures. */
  log?: Pick<Logger, 'warn'>
  /** See ServerPoolOptions. */
  giveUpAfterMs?: number
}

const headerBytes = 44
/** OpenAI rejects audio shorter than a tenth of a second, and Whisper recognizes little in less than one second. */
const minSeconds = 1

/** Opens the pool of servers and starts to check them. Throws if the file of certificate authorities cannot be read. */
export function openRemoteSpeech({ settings, log, giveUpAfterMs }: RemoteSpeechOptions): RemoteSpeech {
  const client = createTranscriptionClient(settings)
  const models = [...new Set([settings.model, ...Object.values(settings.modelByLanguage)])]
  const { addresses } = settings
  const pool = new ServerPool({ purpose: 'speech', addresses, models, check: client.check, onFailure, giveUpAfterMs })
  const backends = new Map<string, SpeechBackend>()
  let hasWordTimes = false
  void pool.checkAll()

  async function request(
    query: TranscriptionQuery,
    signal: AbortSignal | undefined,
  ): Promise<RemoteTranscription & { host: string }> {
    const durationMs = (query.samples.length * 1000) / sampleRate
    const send = async (address: string) => {
      const body = await client.transcribe(address, query, { signal })
      return { ...readTranscription(body, durationMs), host: new URL(address).host }
    }
    const transcription = await pool.run({ amountOf: () => durationMs, send, signal })
    if (transcription.segments.length > 0) ({ hasWordTimes } = transcription)
    return transcription
  }

  function onFailure(address: string, { kind, message }: ServerFailure): void {
    log?.warn({ address, kind, reason: message }, 'a transcription server failed a request, which goes to another')
  }

  function use({ remoteName = settings.model }: SpeechModel): SpeechBackend {
    const backend = backends.get(remoteName) ?? createBackend(remoteName)
    backends.set(remoteName, backend)
    return backend
  }

  function createBackend(remoteName: string): SpeechBackend {
    return {
      capabilities: {
        engine: 'OpenAI-compatible server',
        hasAudioContext: false,
        hasBeamSearch: false,
        hasTemperature: true,
        // As of the last response: some servers return no words.
        get hasWordTimes() {
          return hasWordTimes
        },
        hasPrompt: true,
        hasLanguageDetection: true,
        parallelWindows: pool.size,
      },
      transcribe: async (samples, { language, decoding, prompt, signal }) => {
        if (!isWhisperLanguage(language)) {
          throw new AppError('unsupported_language', `The speech engine has no language "${language}".`)
        }
        const { temperature, temperatureStep } = decoding
        const isFixed = temperature > 0 || temperatureStep === 0
        const query = { samples, model: remoteName, language, prompt, temperature: isFixed ? temperature : undefined }
        const { segments, host } = await request(query, signal)
        return { segments, isComplete: true, server: host }
      },
      detectLanguages: async (samples, { signal } = {}) => {
        const { language } = await request({ samples, model: remoteName }, signal)
        if (language) return { [language]: 1 }
        throw new AppError('unsupported_language', 'The transcription servers do not detect the spoken language.', {
          help: 'Choose the language of the recording.',
        })
      },
      cpuMs: () => 0,
      close: async () => {},
    }
  }

  return { use, describe: () => pool.describe(), close: () => pool.close() }
}

/** Encodes a mono WAV file with 16-bit samples, padded with silence to at least one second. NaN and infinities become 0. */
function encodeWav(samples: Float32Array): Buffer<ArrayBuffer> {
  const dataBytes = Math.max(samples.length, minSeconds * sampleRate) * 2
  const file = Buffer.alloc(headerBytes + dataBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  for (const [index, sample] of samples.entries()) {
    const value = Number.isFinite(sample) ? Math.round(sample * 32_768) : 0
    file.writeInt16LE(Math.max(-32_768, Math.min(32_767, value)), headerBytes + index * 2)
  }
  return file
}

/** A transcription request for one window. */
interface TranscriptionQuery {
  samples: Float32Array
  model: string
  /** ISO 639-1 code; if omitted, the server detects the language. */
  language?: string
  prompt?: string
  /** If omitted, the server starts at 0 and falls back to higher temperatures if it can. */
  temperature?: number
}

interface TranscriptionClient extends Pick<ServerClient, 'check'> {
  /** Sends one window and returns the body of the response; throws ServerFailure. */
  transcribe(address: string, query: TranscriptionQuery, options: { signal?: AbortSignal }): Promise<Buffer>
}

const fullWindowMs = 30_000

/** Creates a client. Throws if the file of certificate authorities cannot be read. */
function createTranscriptionClient(settings: SpeechServerSettings): TranscriptionClient {
  const { post, check } = createServerClient(settings, { caSetting: 'SPEECH_SERVER_CA' })

  async function transcribe(
    address: string,
    query: TranscriptionQuery,
    { signal }: { signal?: AbortSignal },
  ): Promise<Buffer> {
    const form = new Response(toForm(query))
    return post({
      url: `${address}/v1/audio/transcriptions`,
      contentType: form.headers.get('content-type') ?? '',
      body: Buffer.from(await form.arrayBuffer()),
      timeoutMs: timeoutFor(query.samples, settings.timeoutMs),
      signal,
    })
  }

  return { transcribe, check }
}

function toForm({ samples, model, language, prompt, temperature }: TranscriptionQuery): FormData {
  const form = new FormData()
  form.set('file', new Blob([encodeWav(samples)], { type: 'audio/wav' }), 'window.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'segment')
  form.append('timestamp_granularities[]', 'word')
  if (temperature !== undefined) form.set('temperature', String(temperature))
  if (language) form.set('language', language)
  if (prompt) form.set('prompt', prompt)
  return form
}

/** Returns the full timeout for a 30 s window and less for a shorter one, but at least half: a server may be busy with another engine. */
function timeoutFor(samples: Float32Array, timeoutMs: number): number {
  const share = Math.min(1, samples.length / 16 / fullWindowMs)
  return Math.round((timeoutMs * (1 + share)) / 2)
}
