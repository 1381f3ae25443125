import type { StoredTranslation } from '#contract/entities/recording.ts'
import { JobParams } from '../jobs/job-params.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { correctTranslation } from './correct-results.ts'
import type { TranscriptSource } from './transcript-source.ts'
import type { TranscriptionChangesReader } from './transcription-changes.ts'

/** Returns the result of a translation with the speakers that people assigned to its lines; null where there is none. */
export async function readTranslation(
  transcripts: TranscriptSource,
  job: Pick<JobRecord, 'id' | 'params'>,
  readChanges: TranscriptionChangesReader,
): Promise<StoredTranslation | null> {
  const translation = await transcripts.readResult(job.id, 'translate')
  const source = sourceOf(job)
  if (!translation || source === null) return translation && { ...translation, transcription_id: null }
  return { ...correctTranslation(translation, await readChanges(source)), transcription_id: source }
}

/** Returns the finished translation into each language: the latest of a transcription, or else of any text of the recording. */
export function chooseTranslations(jobs: JobRecord[], transcriptionId: string | undefined): JobRecord[] {
  const done = jobs.filter((job) => job.kind === 'translate' && job.state === 'done')
  return [...Map.groupBy(done, (job) => job.targetLanguage).values()].flatMap((group) => {
    const own = group.find((job) => transcriptionId !== undefined && sourceOf(job) === transcriptionId)
    return own ?? group[0] ?? []
  })
}

/** Returns the id of the transcription that a translation or diarization was made from; null for none. */
export function sourceOf({ params }: Pick<JobRecord, 'params'>): string | null {
  const { data } = JobParams.safeParse(params)
  return data && 'transcriptionId' in data ? data.transcriptionId : null
}
