import type { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { readConfig } from '#data/config.ts'
import type { Config } from '#data/config.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { openRemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { availableThreads } from '#engine/threads.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import { translateSpeakers } from '#engine/translation/translate.ts'
import type { RunContext } from './interruptible.ts'
import type { Progress } from './progress.ts'
import type { TranscribeOptions } from './transcribe-options.ts'

export interface ProcessedRecording {
  transcription: TranscriptionResult
  translation: TranslationResult | undefined
}

interface RecordingContext extends RunContext {
  /** An existing folder for decoded samples; the caller removes it. */
  workDir: string
}

/**
 * Decodes a recording, transcribes each channel and translates, without server and database. Reads the product's configuration.
 * @throws AppError for what is wrong with the file, the models or the languages
 */
export async function processRecording(
  options: Pick<TranscribeOptions, 'file' | 'languages' | 'names' | 'speakerCount' | 'splitVoices' | 'target'>,
  { workDir, progress, signal }: RecordingContext,
): Promise<ProcessedRecording> {
  const config = readConfig(process.env)
  const models = await chooseModels(config)
  const threads = availableThreads(config.engineThreads)

  const { warning } = await findFfmpeg()
  if (warning) progress.note(warning)
  progress.begin('Reading')
  const decoded = await decodeAudio(options.file, { workDir, signal })
  progress.begin('Transcribing')
  const remote = config.speechServers && openRemoteSpeech({ settings: config.speechServers })
  const backends = createSpeechBackendCache({ threads, remote })
  const transcription = await transcribeRecording(decoded, {
    language: options.languages,
    names: options.names,
    speakerCount: options.speakerCount,
    splitVoices: options.splitVoices,
    model: models.speech,
    modelsByLanguage: models.speechByLanguage,
    backends,
    signal,
    onProgress: showTranscription(progress),
  }).finally(async () => {
    await backends.close()
    remote?.close()
  })
  const translation = options.target
    ? await translate(transcription, {
        target: options.target,
        model: models.translation,
        threads,
        gpu: config.translationGpu,
        progress,
        signal,
      })
    : undefined
  return { transcription, translation }
}

/** Returns a listener that shows the progress of a transcription that has begun. */
function showTranscription(progress: Progress): (done: TranscriptionProgress) => void {
  let shown: TranscriptionProgress['stage']
  return ({ current_segment, total_segments, latest_segment, stage }) => {
    if (stage !== shown) progress.begin(stage === 'speakers' ? 'Telling voices apart' : 'Transcribing')
    shown = stage
    progress.update(current_segment, total_segments, latest_segment?.text)
  }
}

interface TranslateStep extends RunContext {
  target: string
  model: TranslationModel
  threads: number
  gpu: Config['translationGpu']
}

async function translate(
  transcription: TranscriptionResult,
  { target, model, threads, gpu, progress, signal }: TranslateStep,
) {
  progress.begin('Translating')
  const translator = await startTranslator({ model, threads, gpu, signal })
  try {
    return await translateSpeakers({
      transcription,
      targetLanguage: target,
      translator,
      signal,
      onProgress: ({ current_segment, total_segments, latest_segment }) =>
        progress.update(current_segment, total_segments, latest_segment?.translated_text),
    })
  } finally {
    await translator.close()
  }
}
