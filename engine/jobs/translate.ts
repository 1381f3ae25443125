import { AppError } from '#contract/app-error.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { readResult } from '#data/jobs/results.ts'
import { loadSource, type TranslationSource } from '#data/jobs/translation-source.ts'
import { openTranscripts } from '#data/recordings/stored-transcripts.ts'
import { readEdited } from '#data/recordings/transcript-source.ts'
import { createTranslationRouter } from '#engine/translation/translation-router.ts'
import { withProvenanceOf } from '#engine/translation/earlier-lines.ts'
import type { EarlierTranslation } from '#engine/translation/earlier-lines.ts'
import { translateText } from '#engine/translation/translate-text.ts'
import { translateSpeakers } from '#engine/translation/translate.ts'
import { SavedTranslation } from '#engine/translation/translation-memory.ts'
import { jobCheckpoint } from './checkpoint.ts'
import type { JobOutcome, JobTask, JobContext } from './job-task.ts'

/** Translates a text, or a transcription segment by segment in its current, edited form. */
export async function handleTranslate(context: JobContext, task: JobTask<'translate'>): Promise<JobOutcome> {
  const { params, job, signal, report } = task
  const source = await readSource(context, task)
  const earlier = await readEarlier(context, task)
  const options = {
    sourceLanguage: params.sourceLanguage,
    targetLanguage: params.targetLanguage,
    translator: createTranslationRouter(context.models, (model) => context.loaded.translator(model, { signal })),
    signal,
    onProgress: report,
    checkpoint: jobCheckpoint(context.queue, task, SavedTranslation),
  }
  if ('text' in source) {
    return { result: await translateText({ ...options, text: source.text }), languages: [params.targetLanguage] }
  }
  // A different seed for each job: the previous one led to the failures.
  const seedOffset = earlier ? Number.parseInt(job.id.slice(-4), 16) : 0
  const result = await translateSpeakers({ ...options, transcription: source, earlier, seedOffset })
  return { result: earlier ? withProvenanceOf(earlier, result) : result, languages: [params.targetLanguage] }
}

/** Returns the translation to be completed, or undefined where everything is translated from scratch. */
async function readEarlier(
  { queue }: JobContext,
  { params, job }: JobTask<'translate'>,
): Promise<EarlierTranslation | undefined> {
  if (!params.retry) return undefined
  const { jobId, ...retry } = params.retry
  const result = await readResult(queue, job.ownerId, jobId, 'translate')
  return result ? { result, ...retry } : undefined
}

async function readSource(
  { queue }: JobContext,
  { params, job }: JobTask<'translate'>,
): Promise<TranscriptionResult | { text: string }> {
  if (params.transcriptionId) {
    const stored = await readEdited(openTranscripts(queue, job.ownerId), params.transcriptionId)
    if (stored) return stored
  } else if (params.sourceId) {
    const source = await loadSource(queue, job.ownerId, params.sourceId)
    if (source) return source.kind === 'text' ? { text: source.text } : toTranscription(source.speakers)
  }
  throw new AppError('not_found', 'What was to be translated was deleted.')
}

type Speakers = Extract<TranslationSource, { kind: 'speakers' }>['speakers']

/** Converts what a caller sent to a transcription. */
function toTranscription(speakers: Speakers): TranscriptionResult {
  const voices = speakers.map(({ speaker, language, segments }, index) => ({
    speaker,
    channel: Math.min(index, 1),
    transcription: segments.map(({ text }) => text).join(' '),
    segment_count: segments.length,
    detected_language: language,
    language_probability: null,
    segments: segments.map((segment) => ({ ...segment, speaker })),
  }))
  const segments = voices.flatMap((voice) => voice.segments).toSorted((a, b) => a.start - b.start)
  return {
    transcription_id: null,
    transcription: segments.map(({ text }) => text).join('\n'),
    detected_language: voices[0]?.detected_language ?? null,
    language_probability: null,
    num_speakers: voices.length,
    segments,
    speaker_transcriptions: voices,
    duration: 0,
    model: '',
    warnings: [],
  }
}
