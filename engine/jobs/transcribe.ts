import { builtInKeywords } from '#contract/keywords/defaults.ts'
import { keywordCategories } from '#contract/keywords/keywords.ts'
import { spokenLanguages } from '#contract/spoken-language.ts'
import { selectedLanguages, type SeparationChoice, type TranscriptionChoice } from '#data/jobs/work-keys.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'
import { listWordListsOfRecording, type WordListRecord } from '#data/word-lists/word-lists.ts'
import { SavedSeparation, type SeparationOptions } from '#engine/speech/separate-voices.ts'
import { WindowResult } from '#engine/speech/window-result.ts'
import { type TranscribedRecording, type TranscribeOptions, transcribeRecording } from '#engine/speech/transcribe.ts'
import { isDetection, type TranscriptionLanguageChoice, transcriptionLanguages } from '#contract/languages.ts'
import { isRemote } from '#engine/models/model-entry.ts'
import { pinModel } from '#engine/models/pin-model.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { jobCheckpoint } from './checkpoint.ts'
import { decodeRecording } from './decode-recording.ts'
import type { JobContext, JobOutcome, JobTask } from './job-task.ts'

type SpeechModels = Pick<TranscribeOptions, 'model' | 'modelsByLanguage' | 'languageErrors'>

/**
 * Returns the models that recordings in these languages may need, or the one that a person chose, pinned to their current weights.
 *
 * @throws AppError `model_unavailable` with the problem of a requested language's model, or of the model that detects languages;
 *   `unsupported_language` if the chosen model does not support one of the languages
 */
async function chooseSpeechModels(
  { models, modelsDir }: Pick<JobContext, 'models' | 'modelsDir'>,
  { languages, chosenModel }: { languages: readonly TranscriptionLanguageChoice[]; chosenModel: string | null },
  signal: AbortSignal,
): Promise<SpeechModels> {
  const pin = <Model extends SpeechModels['model']>(model: Model) => pinModel(model, { modelsDir, signal })
  if (chosenModel !== null) {
    const chosen = models.requireInstalledSpeech(chosenModel, languages)
    if (!isRemote(chosen)) await verifyModel(chosen, { modelsDir, signal })
    return { model: await pin(chosen), modelsByLanguage: {}, languageErrors: {} }
  }
  const [first = 'auto'] = languages.toSorted((a, b) => Number(isDetection(b)) - Number(isDetection(a)))
  const model = await pin(models.requireSpeech(first))
  const possible: readonly TranscriptionLanguageChoice[] = languages.some(isDetection)
    ? transcriptionLanguages
    : languages
  const modelsByLanguage: Record<string, SpeechModels['model']> = {}
  for (const language of possible) {
    const own = languages.includes(language) ? models.requireSpeech(language) : models.speechByLanguage[language]
    if (own) modelsByLanguage[language] = await pin(own)
  }
  return { model, modelsByLanguage, languageErrors: models.speechErrors }
}

/** Transcribes a recording; the id of the transcription is its job's, so that a repeated attempt returns the same one. */
export async function handleTranscribe(context: JobContext, task: JobTask<'transcribe'>): Promise<JobOutcome> {
  const { possible_hits: possibleHits, ...result } = await transcribeJob(context, task, task.params)
  return {
    result: { ...result, transcription_id: task.job.id },
    languages: spokenLanguages(result),
    ...(possibleHits && { possibleHits }),
  }
}

/** Transcribes the job's recording, resuming where an earlier attempt stopped. */
export async function transcribeJob(
  context: JobContext,
  task: Omit<JobTask, 'params'>,
  choice: TranscriptionChoice,
): Promise<TranscribedRecording> {
  const { report, signal } = task
  const decoded = await decodeRecording(context, task)
  return transcribeRecording(decoded, {
    language: selectedLanguages(choice),
    ...(await chooseSpeechModels(context, { languages: selectedLanguages(choice), chosenModel: choice.model }, signal)),
    backends: context.loaded.speech,
    names: choice.names,
    wordLists: await readWordLists(context, task),
    keywordsOf: await readKeywords(context, task),
    signal,
    onProgress: report,
    checkpoint: jobCheckpoint(context.queue, task, WindowResult),
    ...separationOptions(context, task, choice),
  })
}

/** Returns the current word lists: those of the cases that hold the job's recording, and that of its owner. */
async function readWordLists({ queue }: JobContext, { job }: Pick<JobTask, 'job'>): Promise<WordListRecord[]> {
  const { ownerId, recordingId } = job
  return recordingId === null ? [] : listWordListsOfRecording(queue.connection, { ownerId, recordingId })
}

/** Returns the keywords to look for in a language: the current ones of the job's owner, or the built-in ones. */
async function readKeywords(
  { queue }: JobContext,
  { job }: Pick<JobTask, 'job'>,
): Promise<(language: string) => readonly string[]> {
  const keywords = await readKeywordsInUse(queue.connection, job.ownerId)
  return (language) => {
    const lists = keywords.isBuiltIn ? builtInKeywords(language) : keywords
    return keywordCategories.flatMap((category) => lists[category])
  }
}

/** Returns the options for separating the voices of a job's recording; voices found by an earlier attempt are reused. */
export function separationOptions(
  { queue, log }: Pick<JobContext, 'queue' | 'log'>,
  task: Pick<JobTask, 'job' | 'signal'>,
  { speakerCount, splitVoices }: SeparationChoice,
): SeparationOptions {
  return {
    speakerCount: speakerCount ?? undefined,
    splitVoices,
    voiceCheckpoint: jobCheckpoint(queue, task, SavedSeparation),
    onSeparationFailure: (error) => log.warn({ err: error }, 'the voices could not be separated'),
  }
}
