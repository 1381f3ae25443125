import { AppError } from '#contract/app-error.ts'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { hashStream } from '../hash-file.ts'
import type { StoredAudio } from './stored-audio.ts'

/** Returns the SHA-256 of a file; '' where part of it is missing, undefined where it is empty or was deleted in the meantime. */
export async function hashStoredAudio(store: AudioStore, audio: StoredAudio): Promise<string | undefined> {
  if (audio.sizeBytes === 0) return undefined
  try {
    return (await hashStream(await store.read(audio, { start: 0, end: audio.sizeBytes - 1 }))).sha256
  } catch (error) {
    if ((await store.size(audio)) === null) return undefined
    if (error instanceof AppError) return ''
    throw error
  }
}
