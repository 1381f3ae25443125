import { startWhisper } from '../whisper-cpp/start-whisper.ts'
import type { WhisperOptions } from '../whisper-cpp/start-whisper.ts'
import type { SpeechBackend } from './speech-backend.ts'

export type BackendOptions = WhisperOptions

/** Starts the engine that runs this model. There is one so far: whisper.cpp. */
export async function startBackend(options: BackendOptions): Promise<SpeechBackend> {
  return startWhisper(options)
}
