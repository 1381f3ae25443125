import { spokenLanguages } from '#contract/spoken-language.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { selectedLanguages, type SeparationChoice, type TranscriptionChoice } from '#data/jobs/work-keys.ts'
import { listWordListsOfRecording, type WordListRecord } from '#data/word-lists/word-lists.ts'
import { SavedSeparation, type SeparationOptions } from '#engine/speech/separate-voices.ts'
import { WindowResult } from '#engine/speech/window-result.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { jobCheckpoint } from './checkpoint.ts'
import { chooseSpeechModels } from './choose-speech-models.ts'
import { decodeRecording } from './decode-recording.ts'
import type { JobOutcome, JobTask, JobContext } from './job-task.ts'

/** Transcribes a recording; the id of the transcription is its job's, so that a repeated attempt returns the same one. */
export async function handleTranscribe(context: JobContext, task: JobTask<'transcribe'>): Promise<JobOutcome> {
  const result = await transcribeJob(context, task, task.params)
  return {
    result: { ...result, transcription_id: task.job.id },
    languages: spokenLanguages(result),
  }
}

/** Transcribes the job's recording, resuming where an earlier attempt stopped. */
export async function transcribeJob(
  context: JobContext,
  task: Omit<JobTask, 'params'>,
  choice: TranscriptionChoice,
): Promise<TranscriptionResult> {
  const { report, signal } = task
  const decoded = await decodeRecording(context, task)
  return transcribeRecording(decoded, {
    language: selectedLanguages(choice),
    ...(await chooseSpeechModels(context, { languages: selectedLanguages(choice), chosenModel: choice.model }, signal)),
    backends: context.loaded.speech,
    names: choice.names,
    wordLists: await readWordLists(context, task),
    signal,
    onProgress: report,
    checkpoint: jobCheckpoint(context.queue, task, WindowResult),
    ...separationOptions(context, task, choice),
  })
}

/** Returns the lists as they are now: those of the cases that hold the job's recording, and that of its owner. */
async function readWordLists({ queue }: JobContext, { job }: Pick<JobTask, 'job'>): Promise<WordListRecord[]> {
  const { ownerId, recordingId } = job
  return recordingId === null ? [] : listWordListsOfRecording(queue.connection, { ownerId, recordingId })
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
