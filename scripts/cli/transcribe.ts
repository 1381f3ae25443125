import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { defaultKeywords, type KeywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { parseKeywordFile } from '#contract/keywords/keyword-file.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import { formatTranscript } from '#contract/transcript-formats.ts'
import { colourTranscript } from './colour-transcript.ts'
import { runInterruptible } from './interruptible.ts'
import { assertWritable, writeOutputFile } from './output-file.ts'
import { processRecording, type ProcessedRecording } from './process-recording.ts'
import { parseTranscribeOptions, transcribeUsage, type TranscribeOptions } from './transcribe-options.ts'
import { withCommandName } from './command-name.ts'

/** `awaz transcribe FILE ...`. Returns the exit status: 0, or 130 when interrupted; throws AppError for what the person can fix. */
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

/** Returns the results unchanged, with the place of each keyword: UTF-16 offsets in the texts of `segments`, by their index. */
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
