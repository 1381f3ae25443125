import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { defaultKeywords, type KeywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { parseKeywordFile } from '#contract/keywords/keyword-file.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import { formatTranscript } from '#contract/transcript-formats.ts'
import type { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { readConfig, type Config } from '#data/config.ts'
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
import { colourTranscript } from './colour-transcript.ts'
import { runInterruptible, type RunContext } from './interruptible.ts'
import { assertWritable, writeOutputFile } from './output-file.ts'
import { parseTranscribeOptions, transcribeUsage, type TranscribeOptions } from './transcribe-options.ts'
import { withCommandName } from './command-name.ts'
import type { Progress } from './progress.ts'

interface ProcessedRecording {
  transcription: TranscriptionResult
  translation: TranslationResult | undefined
}

interface RecordingContext extends RunContext {
  /** An existing folder for decoded samples; the caller removes it. */
  workDir: string
}

/** `awaz transcribe FILE ...`. Returns the exit status: 0, or 130 when interrupted; throws AppError for what the user can fix. */
export async function run(args: string[]): Promise<number> {
  const options = parseTranscribeOptions(args)
  if (options === 'help') {
    console.log(withCommandName(transcribeUsage))
    return 0
  }
  const keywords = await readKeywords(options.keywordFile)
  if (options.out !== undefined) await assertWritable(options.out)
  return runInterruptible(async ({ progress, signal }) => {
    const workDir = await mkdtemp(join(tmpdir(), 'awaz-'))
    try {
      const result = await processRecording(options, { workDir, progress, signal })
      progress.end()
      const text = render(options, result, keywords)
      if (options.out === undefined) process.stdout.write(text)
      else await writeOutputFile(options.out, text)
    } finally {
      await rm(workDir, { recursive: true, force: true })
    }
  })
}

async function readKeywords(path: string | undefined): Promise<KeywordsInUse> {
  if (path === undefined) return defaultKeywords
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid_input', `The keyword file ${path} could not be read.`, { cause })
  })
  return parseKeywordFile(content)
}

function render(options: TranscribeOptions, result: ProcessedRecording, keywords: KeywordsInUse): string {
  const { transcription, translation } = result
  if (options.format === 'text' && options.out === undefined) {
    return colourTranscript({ transcription, translation, keywords, doubt: options.doubt, stream: process.stdout })
  }
  if (options.format === 'json') return jsonWithHits(options.file, result, keywords)
  const format = options.format === 'text' ? 'txt' : options.format
  const document = { name: options.file, transcription, translation: translation ?? null }
  return formatTranscript(format, document, options.doubt)
}

/** Returns the results unchanged, plus the position of each keyword: the index in `segments` and UTF-16 offsets in that segment's text. */
function jsonWithHits(
  name: string,
  { transcription, translation }: ProcessedRecording,
  keywords: KeywordsInUse,
): string {
  const find = createKeywordMatcher(keywords)
  const hitsIn = (texts: { text: string; language: string | null }[]) =>
    texts.flatMap(({ text, language }, segment) =>
      find(text, language).map(({ isSimilar, ...hit }) => ({
        segment,
        ...hit,
        ...(isSimilar && { sounds_like: true }),
      })),
    )
  const keyword_hits = {
    transcription: hitsIn(
      transcription.segments.map((segment) => ({
        text: segment.text,
        language: spokenLanguage(transcription, segment),
      })),
    ),
    translation: hitsIn(
      translation?.segments.map((segment) => ({
        text: segment.translated_text,
        language: translation.target_language,
      })) ?? [],
    ),
  }
  return `${JSON.stringify({ name, transcription, translation: translation ?? null, keyword_hits }, null, 2)}\n`
}

/**
 * Decodes a recording, transcribes each channel and translates, without a server or database. Reads the product's configuration.
 * @throws AppError for problems with the file, the models or the languages
 */
async function processRecording(
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
