import { api } from '#contract/api.ts'
import type { EditedLine, LineChange, LineEdits } from '#contract/line-edits.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'
import { finishNextJob } from '#testing/jobs.ts'
import type { CallResult, SignedInUser, TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

export const a = 'Speaker A'
export const b = 'Speaker B'

/** Lines of two speakers taking turns: one every two seconds, each 1.5 seconds long. */
export const editedSegments = Array.from({ length: 24 }, (_, index): Segment => {
  return { start: index * 2, end: index * 2 + 1.5, text: `line ${index}`, speaker: index % 2 ? b : a }
})

/** A finished transcription of these lines. */
export const editedTranscription: TranscriptionResult = makeTranscription({
  segments: editedSegments,
  speaker_transcriptions: [a, b].map((speaker, channel) => {
    const segments = editedSegments.filter((segment) => segment.speaker === speaker)
    const transcription = segments.map((segment) => segment.text).join(' ')
    const language = { detected_language: channel === 0 ? 'ps' : 'en', language_probability: null }
    return { speaker, channel, transcription, segment_count: segments.length, ...language, segments }
  }),
})

interface ChangeTarget {
  id?: string
  transcription_id?: string
}

/** A recording of a user whose lines are edited over HTTP. */
export class EditedRecording {
  readonly server: TestServer
  readonly user: SignedInUser
  id = ''
  transcriptionId = ''

  constructor(server: TestServer, user: SignedInUser) {
    this.server = server
    this.user = user
  }

  get queue() {
    return this.server.services.work.queue
  }

  async upload(): Promise<void> {
    this.id = await uploadDialogue(this.server, this.user.accessToken)
  }

  /** Transcribes the recording; later edits apply to the new transcription. */
  async transcribe(result: TranscriptionResult = editedTranscription): Promise<void> {
    const { accessToken: token } = this.user
    const body = { file_id: this.id, force: true }
    await this.server.call(api.audio.transcribe, { body, token, headers: { Prefer: 'respond-async' } })
    this.transcriptionId = (await finishNextJob(this.queue, result, ['ps'])).id
  }

  change(
    changes: LineChange[],
    revision = 0,
    { id = this.id, transcription_id = this.transcriptionId }: ChangeTarget = {},
  ): Promise<CallResult<typeof api.editing.changeLines>> {
    const body = { transcription_id, revision, changes }
    return this.server.call(api.editing.changeLines, { params: { id }, body, token: this.user.accessToken })
  }

  stored(): Promise<LineEdits> {
    return findLineEdits(this.queue.connection, this.user.id, this.transcriptionId)
  }

  async details() {
    const { id, user } = this
    return (await this.server.call(api.recordings.get, { params: { id }, token: user.accessToken })).data
  }
}

/** Returns the change of one line's text. */
export function text(index: number, to: string): LineChange {
  return { from: [index], lines: [{ ...lineAt(index), text: to }] }
}

/** Returns the change that joins lines. */
export function joined(...indexes: number[]): LineChange {
  const [first = 0] = indexes
  const { end } = lineAt(indexes.at(-1) ?? 0)
  return { from: indexes, lines: [{ ...lineAt(first), end, text: 'joined' }] }
}

/** Returns a line as the engine wrote it. */
export function lineAt(index: number): EditedLine {
  const { start, end, speaker } = editedSegments[index] ?? { start: 0, end: 0 }
  return { start, end, text: `line ${index}`, speaker }
}
