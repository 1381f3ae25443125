import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findJob } from '#data/jobs/results.ts'
import type { TranslationSource } from '#data/jobs/translation-source.ts'
import { translationKey } from '#data/jobs/work-keys.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { correctTranslation } from '#data/recordings/correct-results.ts'
import { findChanges, openTranscripts } from '#data/recordings/stored-transcripts.ts'
import { readEdited } from '#data/recordings/transcript-source.ts'
import { assertCanTranslate } from './capabilities.ts'
import type { JobRoutesDeps, JobsDeps } from './deps.ts'
import { respondWithJob, startJob } from './start-job.ts'
import { saveText } from './save-text.ts'
import { chooseRetry } from './translation-retry.ts'

type TextRequest = Pick<z.infer<typeof api.audio.translate.body>, 'text' | 'transcription_id'>
type TranscriptionData = z.infer<typeof api.audio.translateSpeakers.body>['transcription_data']
type Speakers = Extract<TranslationSource, { kind: 'speakers' }>['speakers']

/** The same limit as for a plain text. */
const maxCharacters = 1_000_000

/** Mounts POST /api/translate and POST /api/translate-speakers. */
export function mountTranslation(router: AppRouter, deps: JobRoutesDeps): void {
  const { queue, trail } = deps
  const { connection } = queue
  route(router, api.audio.translate, async ({ body, user, origin, takeTurn, ctx }) => {
    await assertCanTranslate(connection, body.source_language, body.target_language)
    const ownerId = user.id
    const recording = body.recording_id ? await requireRecording(connection, ownerId, body.recording_id) : null
    const recordingId = recording?.id ?? null
    const text = await chooseText(queue, ownerId, body)
    const sourceId = await saveText(deps, { ownerId, recordingId }, { kind: 'text', text })
    const job = await startJob(
      deps,
      {
        ownerId,
        recordingId,
        params: {
          kind: 'translate',
          sourceId,
          transcriptionId: null,
          sourceLanguage: body.source_language,
          targetLanguage: body.target_language,
          context: null,
        },
        workKey: `translate:${sourceId}:${body.source_language}:${body.target_language}`,
        targetLanguage: body.target_language,
      },
      { isForced: body.force },
    )
    if (recording) {
      const details = `${body.source_language} to ${body.target_language}`
      await trail.record({ user, origin }, 'translate', [recording], details)
    }
    return respondWithJob(deps, { ctx, takeTurn }, job, 'translate')
  })

  route(router, api.audio.translateSpeakers, async ({ body, user, origin, takeTurn, ctx }) => {
    await assertCanTranslate(connection, 'auto', body.target_language)
    const source = await chooseSource(deps, user.id, body.transcription_data)
    const context = body.context?.trim() || null
    const workKey = translationKey(source.transcriptionId ?? source.sourceId, body.target_language, context)
    const owned = { ownerId: user.id, workKey, transcriptionId: source.transcriptionId }
    const { retry, startsOver } = await chooseRetry(queue, owned, { isForced: body.force, wanted: body.retry })
    const job = await startJob(
      deps,
      {
        ownerId: user.id,
        recordingId: source.recordingId,
        params: {
          kind: 'translate',
          sourceId: source.sourceId,
          transcriptionId: source.transcriptionId,
          sourceLanguage: 'auto',
          targetLanguage: body.target_language,
          context,
          retry,
        },
        workKey,
        targetLanguage: body.target_language,
      },
      { isForced: startsOver, isNewWork: retry !== null },
    )
    if (source.recordingId) {
      const own = { ownerId: user.id, ids: [source.recordingId] }
      await trail.recordIds({ user, origin }, 'translate', own, `auto to ${body.target_language}`)
    }
    const result = await respondWithJob(deps, { ctx, takeTurn }, job, 'translate')
    if ('job_id' in result || source.transcriptionId === null) return result
    return correctTranslation(result, await findChanges(queue, job, source.transcriptionId))
  })
}

/**
 * Returns the text of the request, or that of the stored transcription it names, with users' edits. Throws `not_found` for an unknown id.
 */
async function chooseText(queue: Queue, ownerId: string, { text, transcription_id: id }: TextRequest): Promise<string> {
  if (text !== undefined) return text
  const stored = id ? await readEdited(openTranscripts(queue, ownerId), id) : null
  if (!stored) throw new AppError('not_found', 'Transcription not found')
  if (!stored.transcription.trim()) throw new AppError('invalid_input', 'Please transcribe audio first')
  return stored.transcription
}

/**
 * Returns the stored transcription that the request names. A transcription sent in the request is stored first. Throws `not_found` for an
 * unknown id.
 */
async function chooseSource(deps: JobsDeps, ownerId: string, data: TranscriptionData) {
  if (data.transcription_id) {
    const job = await findJob(deps.queue, ownerId, data.transcription_id)
    if (job?.kind !== 'transcribe' || job.state !== 'done') throw new AppError('not_found', 'Transcription not found')
    return { sourceId: null, transcriptionId: data.transcription_id, recordingId: job.recordingId }
  }
  const speakers = readSpeakers(data)
  assertTranslatable(speakers)
  const sourceId = await saveText(deps, { ownerId, recordingId: null }, { kind: 'speakers', speakers })
  return { sourceId, transcriptionId: null, recordingId: null }
}

function readSpeakers(data: TranscriptionData): Speakers {
  const language = data.detected_language ?? null
  if (data.speaker_transcriptions?.length) {
    return data.speaker_transcriptions.map((entry) => ({
      speaker: entry.speaker,
      language: entry.detected_language ?? language,
      segments: entry.segments ?? [{ start: 0, end: 0, text: entry.transcription }],
    }))
  }
  const segments = data.segments ?? [{ start: 0, end: 0, text: data.transcription ?? '' }]
  const bySpeaker = Map.groupBy(segments, (segment) => ('speaker' in segment && segment.speaker) || 'Speaker A')
  return [...bySpeaker].map(([speaker, own]) => ({ speaker, language, segments: own }))
}

function assertTranslatable(speakers: Speakers) {
  const segments = speakers.flatMap((speaker) => speaker.segments)
  const characters = segments.reduce((sum, segment) => sum + segment.text.length, 0)
  if (!segments.some((segment) => segment.text.trim()))
    throw new AppError('invalid_input', 'Please transcribe audio first')
  if (characters > maxCharacters || segments.length > 50_000) {
    throw new AppError(
      'invalid_input',
      `A transcription to translate has at most ${maxCharacters} characters and 50000 segments`,
    )
  }
}
