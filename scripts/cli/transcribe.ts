import { access, constants, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { defaultKeywords } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { parseKeywordFile } from '#contract/keywords/keyword-file.ts'
import type { Keywords } from '#contract/keywords/keywords.ts'
import { formatTranscript } from '#contract/transcript-formats.ts'
import { colourTranscript } from './colour-transcript.ts'
import { processRecording, type ProcessedRecording } from './process-recording.ts'
import { createProgress } from './progress.ts'
import { parseTranscribeOptions, transcribeUsage, type TranscribeOptions } from './transcribe-options.ts'

/** Exit status of a command ended by Ctrl-C: 128 + SIGINT. */
const interrupted = 130

/** `awaz transcribe FILE ...`: 0, or 130 when interrupted; throws AppError for what the person should know. */
export async function run(args: string[]): Promise<number> {
  const options = parseTranscribeOptions(args)
  if (options === 'help') {
    console.log(transcribeUsage)
    return 0
  }
  const keywords = await readKeywords(options.keywordFile)
  await requireWritable(options.out)
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => abort.abort())
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-'))
  const progress = createProgress({ stream: process.stderr })
  try {
    const result = await processRecording(options, { workDir, progress, signal: abort.signal })
    progress.end()
    await write(options, render(options, result, keywords))
    return 0
  } catch (error) {
    progress.end()
    if (!abort.signal.aborted) throw error
    console.error('Interrupted; nothing was written.')
    return interrupted
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

async function readKeywords(path: string | undefined): Promise<Keywords> {
  if (path === undefined) return defaultKeywords
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid_input', `The keyword file ${path} could not be read.`, { cause })
  })
  return parseKeywordFile(content)
}

function render(options: TranscribeOptions, result: ProcessedRecording, keywords: Keywords): string {
  const { transcription, translation } = result
  if (options.format === 'text' && options.out === undefined) {
    return colourTranscript({ transcription, translation, keywords, doubt: options.doubt, stream: process.stdout })
  }
  if (options.format === 'json') return jsonWithHits(options.file, result, keywords)
  const format = options.format === 'text' ? 'txt' : options.format
  const document = { name: options.file, transcription, translation: translation ?? null }
  return formatTranscript(format, document, options.doubt)
}

/** Transcribing may take an hour: a folder that is not there is told before. */
async function requireWritable(out: string | undefined): Promise<void> {
  if (out === undefined) return
  await access(dirname(out), constants.W_OK).catch((cause: unknown) => {
    throw notWritten(out, cause)
  })
}

function notWritten(out: string, cause: unknown): AppError {
  return new AppError('invalid_input', `${out} could not be written.`, { cause })
}

/** The results untouched, and where each keyword stands: UTF-16 offsets in the texts of `segments`, by their index. */
function jsonWithHits(name: string, { transcription, translation }: ProcessedRecording, keywords: Keywords): string {
  const find = createKeywordMatcher(keywords)
  const hitsIn = (texts: string[]) =>
    texts.flatMap((text, segment) =>
      find(text).map(({ isSimilar, ...hit }) => ({ segment, ...hit, ...(isSimilar && { sounds_like: true }) })),
    )
  const keyword_hits = {
    transcription: hitsIn(transcription.segments.map(({ text }) => text)),
    translation: hitsIn(translation?.segments.map(({ translated_text }) => translated_text) ?? []),
  }
  return `${JSON.stringify({ name, transcription, translation: translation ?? null, keyword_hits }, null, 2)}\n`
}

/** A file appears whole or not at all. */
async function write({ out }: TranscribeOptions, text: string): Promise<void> {
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  const part = `${out}.part`
  try {
    await writeFile(part, text)
    await rename(part, out)
  } catch (cause) {
    await rm(part, { force: true })
    throw notWritten(out, cause)
  }
  console.error(`Written to ${out}`)
}
