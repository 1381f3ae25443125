import { createWatchListRepository } from '#data/alerts/watch-lists.ts'
import { newId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { storeDocument } from './recordings.ts'
import { storeFinishedJob } from './stored-work.ts'
import { makeTranscription } from './work.ts'

/** The word in the watch lists of these owners. */
export const watchedWord = 'river'
/** Two of the three lines contain it. */
export const watchedTexts = [`we meet at the ${watchedWord}`, 'bring the boat', `the ${watchedWord} is high`]

/** Returns a new owner with a watch list for the word. */
export async function makeWatchingOwner({ connection }: Queue): Promise<string> {
  const ownerId = newId()
  const fields = { categories: [], texts: 'both' as const, threshold: 1, tags: [], isOn: true }
  await createWatchListRepository(connection).insert(ownerId, { ...fields, name: 'Rivers', words: [watchedWord] })
  return ownerId
}

/** Stores a recording of an owner. Returns its id. */
export async function storeCall({ connection }: Queue, ownerId: string, name = 'call.wav'): Promise<string> {
  return (await storeDocument(connection, { ownerId, name, durationMs: 60_000 })).id
}

/** Stores a finished transcription of a recording with these texts. Returns its id. */
export async function transcribeCall(
  queue: Queue,
  ownerId: string,
  recordingId: string,
  texts = watchedTexts,
): Promise<string> {
  const id = newId()
  const segments = texts.map((text, index) => ({ start: index * 10, end: index * 10 + 3, text }))
  const result = makeTranscription({
    transcription_id: id,
    segments,
    speaker_transcriptions: [],
    detected_language: 'en',
    num_speakers: 1,
  })
  const params = { kind: 'transcribe' as const, language: 'en' as const, channelLanguages: null, names: [] }
  return storeFinishedJob(queue, {
    id,
    ownerId,
    recordingId,
    params: { ...params, speakerCount: null, splitVoices: [], model: null },
    workKey: newId(),
    outcome: { result, languages: ['en'] },
  })
}
