import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { SpeechServerSettings } from '#data/remote-servers.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { ServerFailure } from '#engine/remote/server-failure.ts'
import { ServerPool } from '#engine/remote/server-pool.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { isWhisperLanguage } from '../whisper-cpp/whisper-languages.ts'
import { readTranscription } from './read-transcription.ts'
import type { RemoteTranscription } from './read-transcription.ts'
import { createTranscriptionClient } from './transcription-client.ts'
import type { TranscriptionQuery } from './transcription-client.ts'

/** The transcription servers of an engine process. Their state outlives jobs. */
export interface RemoteSpeech {
  /** Returns a backend that requests this model from the servers. */
  use(model: SpeechModel): SpeechBackend
  describe(): RemoteServerStatus[]
  close(): void
}

export interface RemoteSpeechOptions {
  settings: SpeechServerSettings
  /** Logs failures of servers. */
  log?: Pick<Logger, 'warn'>
  /** See ServerPoolOptions. */
  giveUpAfterMs?: number
}

/** Opens the pool of servers and starts to check them. Throws where the file of certificate authorities cannot be read. */
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
