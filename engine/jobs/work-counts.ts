import type { Logger } from 'pino'
import { isUncertainSegment } from '#contract/doubt.ts'
import type { JobKind } from '#contract/entities/job.ts'
import { TranscriptionResult } from '#contract/transcription.ts'
import { TranslationResult } from '#contract/translation.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { incrementCounters, type CounterIncrement } from '#data/counters/counters.ts'
import type { JobOutcome } from './job-task.ts'

interface FinishedWork {
  kind: JobKind
  outcome: JobOutcome
  /** Time of the attempt that finished the job; an earlier attempt may have done some of the work. */
  workMs: number
}

/** Returns what a finished job adds to the counters (docs/monitoring.md). */
export function countsOfFinishedJob({ kind, outcome, workMs }: FinishedWork): CounterIncrement[] {
  const done: CounterIncrement = { name: 'finished_jobs', labels: { kind }, by: 1 }
  if (kind === 'transcribe') return [done, ...countsOfTranscription(outcome, workMs)]
  if (kind === 'translate') return [done, ...countsOfTranslation(outcome, workMs)]
  return [done]
}

function countsOfTranscription({ result, languages }: JobOutcome, workMs: number): CounterIncrement[] {
  const transcription = TranscriptionResult.safeParse(result).data
  if (!transcription) return []
  const { segments, duration, model } = transcription
  const labels = { model, language: languages[0] ?? 'none' }
  const uncertain = segments.filter(isUncertainSegment).length
  return [
    { name: 'transcribed_seconds', labels, by: duration },
    { name: 'transcription_work_seconds', labels, by: workMs / 1000 },
    { name: 'transcribed_lines', labels: { certainty: 'certain' }, by: segments.length - uncertain },
    { name: 'transcribed_lines', labels: { certainty: 'uncertain' }, by: uncertain },
  ]
}

function countsOfTranslation({ result }: JobOutcome, workMs: number): CounterIncrement[] {
  const translation = TranslationResult.safeParse(result).data
  if (!translation) return []
  const { model, speaker_translations } = translation
  const ofSpeakers = speaker_translations.flatMap(({ segments }) => segments)
  const segments = ofSpeakers.length > 0 ? ofSpeakers : translation.segments
  const missing = segments.filter(({ error }) => error !== null).length
  return [
    { name: 'translation_work_seconds', labels: { model }, by: workMs / 1000 },
    { name: 'translated_lines', labels: { outcome: 'translated' }, by: segments.length - missing },
    { name: 'translated_lines', labels: { outcome: 'not_translated' }, by: missing },
  ]
}

/** Adds to the counters. A failure is only logged: no job depends on being counted. */
export async function recordCounts(
  connection: DatabaseConnection,
  counts: CounterIncrement[],
  log: Logger,
): Promise<void> {
  await incrementCounters(connection, counts).catch((err: unknown) => log.debug({ err }, 'work could not be counted'))
}
