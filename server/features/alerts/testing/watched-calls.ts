import { api } from '#contract/api.ts'
import type { AlertFilter, WatchListInput } from '#contract/alerts.ts'
import type { Segment } from '#contract/transcription.ts'
import { newId } from '#data/ids.ts'
import { settleLibrary } from '#testing/library.ts'
import { storeDocument } from '#testing/recordings.ts'
import type { SignedInUser, TestServer } from '#testing/server.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

/** Returns lines of one speaker, each three seconds long. */
export function toSegments(texts: string[], { delay = 0 } = {}): Segment[] {
  return texts.map((text, index) => ({ start: index * 10 + delay, end: index * 10 + 3 + delay, text }))
}

/** The watch lists, recordings and alerts of a user. */
export class WatchedCalls {
  readonly server: TestServer
  readonly user: SignedInUser

  constructor(server: TestServer, user: SignedInUser) {
    this.server = server
    this.user = user
  }

  get token() {
    return this.user.accessToken
  }

  get queue() {
    return this.server.services.work.queue
  }

  /** Adds a watch list, by default for the word "river". */
  async watch(input: Partial<WatchListInput> = {}) {
    const body = { name: 'Rivers', words: ['river'], ...input }
    return (await this.server.call(api.alerts.addWatchList, { body, token: this.token })).data
  }

  /** Stores a recording with a finished transcription. Returns its id. */
  async record(texts: string[], { tags = [] }: { tags?: string[] } = {}): Promise<string> {
    const { id } = await storeDocument(this.queue.connection, {
      ownerId: this.user.id,
      name: 'call.wav',
      durationMs: 600_000,
    })
    if (tags.length > 0) {
      await this.server.call(api.library.tag, { body: { selection: { ids: [id] }, add: tags }, token: this.token })
    }
    await this.transcribe(id, toSegments(texts))
    return id
  }

  /** Finishes another transcription of a recording. Returns its id. */
  async transcribe(recordingId: string, segments: Segment[]): Promise<string> {
    const id = newId()
    const result = makeTranscription({
      transcription_id: id,
      segments,
      speaker_transcriptions: [],
      detected_language: 'en',
      num_speakers: 1,
    })
    const params = {
      kind: 'transcribe' as const,
      language: 'en' as const,
      channelLanguages: null,
      names: [],
      speakerCount: null,
      splitVoices: [],
      model: null,
    }
    const job = { id, ownerId: this.user.id, recordingId, params, workKey: newId() }
    return storeFinishedJob(this.queue, { ...job, outcome: { result, languages: ['en'] } })
  }

  /** Finishes a translation of a transcription's lines. */
  async translate(recordingId: string, transcriptionId: string, lines: (Segment & { translated: string })[]) {
    const segments = lines.map(({ start, end, text, translated }) => {
      return { start, end, text, translated_text: translated, error: null }
    })
    const params = {
      kind: 'translate' as const,
      sourceId: null,
      transcriptionId,
      sourceLanguage: 'ps',
      targetLanguage: 'en',
      context: null,
      retry: null,
    }
    const job = { ownerId: this.user.id, recordingId, params, workKey: newId(), targetLanguage: 'en' }
    const result = makeTranslation({ segments })
    await storeFinishedJob(this.queue, { ...job, outcome: { result, languages: ['en'] } })
  }

  /** Does the engine's work, and returns the alerts that match a filter. */
  async settle(filter: Partial<AlertFilter> = {}) {
    await settleLibrary(this.queue.connection)
    return (await this.list(filter)).alerts
  }

  async list(query: Partial<AlertFilter> & { cursor?: string; limit?: number } = {}) {
    return (await this.server.call(api.alerts.list, { query, token: this.token })).data
  }

  async unread(): Promise<number> {
    return (await this.server.call(api.alerts.count, { token: this.token })).data.unread
  }

  async mark(ids: string[], state: 'new' | 'reviewed' | 'dismissed') {
    const body = { selection: { ids }, state }
    return (await this.server.call(api.alerts.setState, { body, token: this.token })).data
  }
}
