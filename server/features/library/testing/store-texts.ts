import { newId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

interface OwnedRecording {
  ownerId: string
  recordingId: string
}

export const transcribeParams = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null }

/** Stores a finished transcription with one line. Returns its id. */
export function storeTranscription(
  queue: Queue,
  owner: OwnedRecording,
  { text, languages = ['ps'] }: { text: string; languages?: string[] | undefined },
): Promise<string> {
  const segments = [{ start: 0, end: 1, text, speaker: 'Speaker A', channel: 0 }]
  const result = makeTranscription({ segments, transcription: text, speaker_transcriptions: [] })
  return storeFinishedJob(queue, {
    ...owner,
    params: transcribeParams,
    workKey: newId(),
    outcome: { result, languages },
  })
}

/** Stores a finished translation of the one line of a transcription. */
export async function storeTranslation(
  queue: Queue,
  owner: OwnedRecording,
  { transcriptionId, text, translated }: { transcriptionId: string; text: string; translated: string },
): Promise<void> {
  const segments = [{ start: 0, end: 1, text, translated_text: translated, error: null }]
  const languages = { sourceLanguage: 'ps', targetLanguage: 'en' }
  await storeFinishedJob(queue, {
    ...owner,
    params: { kind: 'translate', sourceId: null, transcriptionId, ...languages, context: null },
    workKey: newId(),
    targetLanguage: 'en',
    outcome: { result: makeTranslation({ segments }), languages: ['en'] },
  })
}
