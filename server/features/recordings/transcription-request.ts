import type { TranscriptionRequest } from '#contract/versions.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'

/** Returns what was requested when a transcription was started; null if an older version stored it in a form that this one cannot read. */
export function presentRequest({ params }: Pick<JobRecord, 'params'>): TranscriptionRequest | null {
  const { data } = JobParams.safeParse(params)
  if (data?.kind !== 'transcribe') return null
  return {
    language: data.language,
    channel_languages: data.channelLanguages,
    names: data.names,
    speaker_count: data.speakerCount,
    split_voices: data.splitVoices,
    model: data.model,
  }
}
