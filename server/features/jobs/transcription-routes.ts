import { api } from '#contract/api.ts'
import { defaultTranscriptionLanguage, type TranscriptionLanguageChoice } from '#contract/languages.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import {
  diarizationKey,
  selectedLanguages,
  separationKey,
  transcriptionKey,
  type DialogueWords,
  type LanguageChoice,
  type SeparationChoice,
} from '#data/jobs/work-keys.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { requireRecording } from '#data/recordings/recordings.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { correctDialogue } from '#data/recordings/correct-results.ts'
import { findChanges } from '#data/recordings/stored-transcripts.ts'
import { assertCanTranscribe } from './capabilities.ts'
import type { JobRoutesDeps } from './deps.ts'
import { respondWithJob, startJob } from './start-job.ts'

/** Mounts POST /api/transcribe and POST /api/speaker-diarization. */
export function mountTranscription(router: AppRouter, deps: JobRoutesDeps): void {
  const { queue, trail } = deps
  const { connection } = queue
  route(router, api.audio.transcribe, async ({ body, user, origin, takeTurn, ctx }) => {
    const recording = await requireRecording(connection, user.id, body.file_id)
    const { names, model = null } = body
    const choice = { ...languagesOf(body), ...separationOf(recording, body), names, model }
    await assertCanTranscribe(connection, selectedLanguages(choice), model)
    const job = await startJob(
      deps,
      {
        ownerId: recording.ownerId,
        recordingId: recording.id,
        params: { kind: 'transcribe', ...choice },
        workKey: transcriptionKey(body.file_id, choice),
      },
      { isForced: body.force },
    )
    await trail.record({ user, origin }, 'transcribe', [recording], describeWork(choice))
    return respondWithJob(deps, { ctx, takeTurn }, job, 'transcribe')
  })

  route(router, api.audio.diarize, async ({ body, user, origin, takeTurn, ctx }) => {
    const recording = await requireRecording(connection, user.id, body.file_id)
    const hasText = body.with_transcription
    const choice = await dialogueChoice(queue, recording, body)
    if (hasText && choice.transcriptionId === null)
      await assertCanTranscribe(connection, selectedLanguages(choice), choice.model)
    const job = await startJob(
      deps,
      {
        ownerId: recording.ownerId,
        recordingId: recording.id,
        params: { kind: 'diarize', hasText, ...choice },
        workKey: diarizationKey(body.file_id, hasText ? choice : null, choice),
      },
      { isForced: body.force },
    )
    await trail.record({ user, origin }, 'transcribe', [recording], `speakers, ${describeWork(choice)}`)
    const result = await respondWithJob(deps, { ctx, takeTurn }, job, 'diarize')
    if ('job_id' in result || result.transcription_id === undefined) return result
    return correctDialogue(result, await findChanges(queue, job, result.transcription_id))
  })
}

/** Describes what was requested, for the audit trail: `ps, en, model large-v3`. */
function describeWork(choice: LanguageChoice & { model: string | null }): string {
  return [...selectedLanguages(choice), ...(choice.model ? [`model ${choice.model}`] : [])].join(', ')
}

interface RequestedLanguages {
  language?: TranscriptionLanguageChoice | undefined
  channel_languages?: TranscriptionLanguageChoice[] | undefined
}

interface RequestedSeparation {
  speaker_count?: number | undefined
  split_voices?: boolean[] | undefined
}

function languagesOf({
  language = defaultTranscriptionLanguage,
  channel_languages,
}: RequestedLanguages): LanguageChoice {
  return { language, channelLanguages: channel_languages ?? null }
}

/** Returns the choices that apply to the recording: the number of speakers if it is mono, the channels to split if it is stereo. */
function separationOf(
  { isStereo }: Pick<RecordingRecord, 'isStereo'>,
  { speaker_count, split_voices = [] }: RequestedSeparation,
): SeparationChoice {
  return isStereo
    ? { speakerCount: null, splitVoices: split_voices }
    : { speakerCount: speaker_count ?? null, splitVoices: [] }
}

/** Returns the requested choices; if none were requested, those of the current transcription, so that its words are used. */
async function dialogueChoice(
  queue: Queue,
  recording: RecordingRecord,
  requested: RequestedLanguages & RequestedSeparation,
): Promise<DialogueWords & SeparationChoice> {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
  const current = currentTranscription(recording, jobs)
  const params = current && JobParams.parse(current.params)
  const isTranscribed = current && params?.kind === 'transcribe'
  const hasLanguages = requested.language !== undefined || requested.channel_languages !== undefined
  const hasSeparation = requested.speaker_count !== undefined || requested.split_voices !== undefined
  const languages = isTranscribed && !hasLanguages ? params : languagesOf(requested)
  const separation = isTranscribed && !hasSeparation ? params : separationOf(recording, requested)
  const isSame =
    isTranscribed &&
    selectedLanguages(params).join() === selectedLanguages(languages).join() &&
    separationKey(params) === separationKey(separation)
  return {
    language: languages.language,
    channelLanguages: languages.channelLanguages,
    speakerCount: separation.speakerCount,
    splitVoices: separation.splitVoices,
    model: isSame ? params.model : null,
    transcriptionId: isSame ? current.id : null,
  }
}
