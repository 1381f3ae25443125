import { expect } from 'vitest'
import { api } from '#contract/api.ts'
import { noSpeakerCorrections, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { finishNextJob } from './jobs.ts'
import type { SignedInUser, TestServer } from './server.ts'
import { uploadDialogue } from './uploads.ts'
import { makeTranscription } from './work.ts'

/** A recording with everything that people can add to it, in a case that its owner owns. */
export interface RecordingWithWork {
  owner: SignedInUser
  /** Member of the case, with `edit` access. */
  member: SignedInUser
  recordingId: string
  jobId: string
  caseId: string
  noteId: string
}

/** A line of the transcription that is both verified and in doubt. */
export const markedLine = { start: 0.5, end: 1.5, channel: 0, text: 'سلام زما ملګریه' }

export async function makeWorkedOn(server: TestServer): Promise<RecordingWithWork> {
  const [owner, member] = [await server.createSignedIn(), await server.createSignedIn()]
  const token = owner.accessToken
  const recordingId = await uploadDialogue(server, token)
  const respondAsync = { Prefer: 'respond-async' }
  await server.call(api.audio.transcribe, { token, body: { file_id: recordingId }, headers: respondAsync })
  const { id: jobId } = await finishNextJob(server.services.work.queue, makeTranscription(), ['ps'])
  const { data } = await server.call(api.cases.create, { token, body: { name: 'Bridge', notes: 'first notes' } })
  const [params, ofCase] = [{ id: recordingId }, { id: data.id }]
  const selected = { selection: { ids: [recordingId] } }
  await server.call(api.cases.setMember, { token, params: ofCase, body: { email: member.email, role: 'edit' } })
  await server.call(api.cases.addRecordings, { token, params: ofCase, body: selected })
  const note = await server.call(api.editing.addNote, { token, params, body: { time: 1, text: 'a note' } })
  await server.call(api.editing.reviewHit, { token, params, body: { hits: ['x'], is_reviewed: true } })
  const marks = { lines: [markedLine], is_verified: true, doubt: { is_uncertain: true, reason: 'noise' } }
  await server.call(api.review.markLines, { token, params, body: marks })
  await server.call(api.library.tag, { token, body: { ...selected, add: ['mine'] } })
  const edit = { from: [0], lines: [{ start: 0.5, end: 1.5, text: 'edited', speaker: 'Speaker A' }] }
  const edits = { transcription_id: jobId, revision: 0, changes: [edit] }
  await server.call(api.editing.changeLines, { token, params, body: edits })
  const words = { revision: 0, words: [{ word: 'Khyber', heard_as: [] }] }
  await server.call(api.wordLists.replaceOfCase, { token, params: ofCase, body: words })
  const made = { owner, member, recordingId, jobId, caseId: data.id, noteId: note.data.id }
  await correctSpeakersOf(server, made, { ...noSpeakerCorrections, names: { 'Speaker A': 'Nadia' } })
  return made
}

export async function correctSpeakersOf(
  server: TestServer,
  { owner: { accessToken: token }, recordingId: id }: RecordingWithWork,
  corrections: SpeakerCorrections,
) {
  const params = { id }
  const { speaker_corrections_version: version } = (await server.call(api.recordings.get, { params, token })).data
  return server.call(api.recordings.correctSpeakers, { params, token, body: { corrections, version } })
}

/** Puts the recording itself or its case on hold, as the owner. */
export async function putOnHold(
  server: TestServer,
  { owner: { accessToken: token }, recordingId, caseId }: RecordingWithWork,
  kind: 'recording' | 'case',
): Promise<void> {
  const body = { reason: 'Court order 7' }
  const { status } =
    kind === 'recording'
      ? await server.call(api.holds.set, { params: { id: recordingId }, body, token })
      : await server.call(api.holds.setOfCase, { params: { id: caseId }, body, token })
  expect(status).toBe(200)
}

/** Fields that say that something was viewed, changed or reported by mail, not what it contains. */
const volatile = new Set(['version', 'change', 'annotationVersion', 'removals', 'updatedAt', 'usedAt', 'notifyOwner'])
const passing = ['audit_events', 'library_entries', 'kept_states']

/** Returns everything stored about the recording and the case, and the size of the audio file. */
export async function readAllStored(server: TestServer, { recordingId, jobId, caseId, noteId }: RecordingWithWork) {
  const { connection } = server.services.database
  const found: Record<string, unknown[]> = {}
  for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
    if (passing.includes(name)) continue
    for (const document of await connection.collection(name).find().sort({ _id: 1 }).toArray()) {
      const text = JSON.stringify(document, (key, value: unknown) => (volatile.has(key) ? undefined : value))
      if ([recordingId, jobId, caseId, noteId].some((id) => text.includes(id)))
        (found[name] ??= []).push(JSON.parse(text))
    }
  }
  const size = await server.services.work.audioStore.size({ id: recordingId, extension: 'wav' })
  expect(size).toBeGreaterThan(0)
  return { ...found, size }
}
