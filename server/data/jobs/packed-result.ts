import type { z } from 'zod'
import { DiarizationResult, type JobKind } from '#contract/entities/job.ts'
import { TranscriptionResult } from '#contract/transcription.ts'
import { TranslationResult } from '#contract/translation.ts'
import { unpackJson } from './packed-json.ts'

const schemas = {
  transcribe: TranscriptionResult,
  translate: TranslationResult,
  diarize: DiarizationResult,
} as const satisfies Record<JobKind, z.ZodType>

export type JobResult<Kind extends JobKind> = z.infer<(typeof schemas)[Kind]>

/** Returns null for a result stored by an older version that this one cannot read: a repeated request then recreates it. */
export async function unpackResult<Kind extends JobKind>(
  kind: Kind,
  packed: Uint8Array,
): Promise<JobResult<Kind> | null> {
  const value = await unpackJson(packed).catch(() => undefined)
  const parsed = schemas[kind].safeParse(value)
  return parsed.success ? (parsed.data as JobResult<Kind>) : null // parsed by the schema of this kind
}

/** Throws if readers could not parse a result: such a job must not count as done. */
export function assertReadable(kind: JobKind, result: object): void {
  schemas[kind].parse(result)
}
