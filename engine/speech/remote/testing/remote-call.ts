import { onTestFinished } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { SpeechServerSettings } from '#data/remote-servers.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { remoteModels } from '#engine/models/remote-models.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import type { TranscribeOptions } from '#engine/speech/transcribe.ts'
import { openRemoteSpeech } from '../remote-speech.ts'
import type { RemoteSpeech, RemoteSpeechOptions } from '../remote-speech.ts'

export function remoteSettings(addresses: string[], changes: Partial<SpeechServerSettings> = {}): SpeechServerSettings {
  return {
    addresses,
    key: undefined,
    caFile: undefined,
    timeoutMs: 60_000,
    model: 'whisper-1',
    modelByLanguage: {},
    isHttpAllowed: false,
    ...changes,
  }
}

/** Opens a pool that is closed when the running test ends. */
export function openTestPool(
  addresses: string[],
  {
    settings = {},
    ...options
  }: { settings?: Partial<SpeechServerSettings> } & Omit<Partial<RemoteSpeechOptions>, 'settings'> = {},
): RemoteSpeech {
  const remote = openRemoteSpeech({ settings: remoteSettings(addresses, settings), ...options })
  onTestFinished(() => remote.close())
  return remote
}

/**
 * Transcribes an English recording on servers, in many short windows. Omits the provenance (times and servers), which differs from call
 * to call.
 */
export async function transcribeRemotely(
  decoded: DecodedAudio,
  remote: RemoteSpeech,
  options: Partial<TranscribeOptions> & { maxWindowMs?: number } = {},
): Promise<TranscriptionResult> {
  const { maxWindowMs = 3000, ...others } = options
  const { speech } = remoteModels(remoteSettings(['http://127.0.0.1']))
  const backends = createSpeechBackendCache({ threads: 1, remote })
  const model = { ...speech, maxWindowMs }
  const { provenance: _, ...result } = await transcribeRecording(decoded, {
    language: 'en',
    ...others,
    model,
    backends,
  })
  return result
}
