import type { TranscriptionLanguage } from '#contract/languages.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { SpeechServerSettings } from '#data/remote-servers.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { remoteModels } from '#engine/models/remote-models.ts'
import { openRemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import type { RemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import type { TranscribeOptions } from '#engine/speech/transcribe.ts'
import { silence, writeWav } from '#testing/audio.ts'
import { readClips, readSamples, withFolder } from '../voices/clips.ts'

function settingsFor(addresses: string[], timeoutMs: number): SpeechServerSettings {
  return {
    addresses,
    key: undefined,
    caFile: undefined,
    timeoutMs,
    model: 'whisper-1',
    modelByLanguage: {},
    isHttpAllowed: false,
  }
}

export function openServers(addresses: string[], { timeoutMs = 120_000 } = {}): RemoteSpeech {
  return openRemoteSpeech({ settings: settingsFor(addresses, timeoutMs) })
}

export function remoteModel(): SpeechModel {
  return remoteModels(settingsFor([], 0)).speech
}

export interface RemoteCallOptions extends Pick<TranscribeOptions, 'signal' | 'onProgress'> {
  remote: RemoteSpeech
  language: TranscriptionLanguage
  /** Shorter windows than usual, so that a short recording has many. */
  maxWindowMs?: number
}

/** Transcribes on servers as the product does. */
export async function transcribeByServers(
  decoded: DecodedAudio,
  { remote, maxWindowMs, ...options }: RemoteCallOptions,
): Promise<TranscriptionResult> {
  const model = remoteModel()
  const backends = createSpeechBackendCache({ threads: 1, remote })
  // One speaker: on fake servers, looking for other voices costs more than the whole rest of a call.
  const { provenance: _, ...result } = await transcribeRecording(decoded, {
    ...options,
    speakerCount: 1,
    model: { ...model, ...(maxWindowMs && { maxWindowMs }) },
    backends,
  })
  // The times and servers in the provenance differ from call to call.
  return result
}

/** Runs `use` with the first English clips as one recording, a second apart. */
export async function withRecording<Value>(
  clipCount: number,
  use: (decoded: DecodedAudio) => Promise<Value>,
): Promise<Value> {
  return withFolder(async (workDir) => {
    const sounds: Float32Array[] = []
    for (const { path } of await readClips({ only: ['en'], perCorpus: clipCount })) {
      sounds.push(await readSamples(path), silence(1000))
    }
    const path = `${workDir}/recording.wav`
    await writeWav(path, [join(sounds)])
    return use(await decodeAudio(path, { workDir }))
  })
}

function join(sounds: Float32Array[]): Float32Array {
  const all = new Float32Array(sounds.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const sound of sounds) {
    all.set(sound, at)
    at += sound.length
  }
  return all
}
