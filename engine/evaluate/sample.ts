import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { isKnownLanguage } from './sample-language.ts'
import { isAudioFile, parseSampleTable } from './sample-table.ts'
import type { RecordingRow } from './sample-table.ts'

/** A recording and its reference transcript. */
export interface ReferenceRecording {
  /** Relative to the sample's folder. */
  name: string
  path: string
  /** The language as written in the sample: see productLanguage. */
  language: string
  text: string
}

/** A text and its reference translation. */
export interface TextPair {
  name: string
  source: string
  target: string
  text: string
  reference: string
}

export interface Sample {
  /** The folder's name. */
  name: string
  spoken: ReferenceRecording[]
  pairs: TextPair[]
  /** Recordings without a text, which are not evaluated. */
  unused: string[]
}

export interface SampleOptions {
  /** Language of recordings for which the sample specifies none. */
  language?: string
  /** Languages of text pairs for which the sample specifies none, such as `ps-en`. */
  pair?: string
}

const forms = `A sample is a folder with recordings and their texts (call.wav and call.txt, or a .tsv with file, text and language), or
with text pairs (ps-en.tsv with the text, a tab and its translation).`

/**
 * Reads a customer's sample and its subfolders. A text file belongs to the recording of the same name; a recording's language is given by
 * its row, or else by the name of its folder, or else by `language`.
 *
 * @throws AppError `invalid_input` naming the file, if a text has no recording, is empty or has no language, or if nothing is found
 */
export async function readSample(folder: string, options: SampleOptions = {}): Promise<Sample> {
  const root = resolve(folder)
  const files = await listFiles(root)
  const recordings = new Set(files.filter(isAudioFile))
  const sample: Sample = { name: basename(root), spoken: [], pairs: [], unused: [] }
  for (const file of files.filter((name) => extname(name) === '.tsv')) await readTable(root, file, sample, options)
  await readTextFiles(root, files, sample, options)
  const used = new Set(sample.spoken.map(({ name }) => name))
  sample.unused = [...recordings].filter((name) => !used.has(name))
  if (sample.spoken.length + sample.pairs.length > 0) return sample
  const found =
    recordings.size === 0 ? 'no recordings and no text pairs' : `${recordings.size} recordings without texts`
  throw new AppError('invalid_input', `In ${root} there are ${found}.`, { help: forms })
}

/** Returns a hash of the items of a sample, independent of its folder's name. */
export function hashSample({ spoken, pairs }: Pick<Sample, 'spoken' | 'pairs'>): string {
  const lines = [
    ...spoken.map(({ name, language, text }) => [name, language, text]),
    ...pairs.map(({ source, target, text, reference }) => [source, target, text, reference]),
  ].map((cells) => `${cells.join('\t')}\n`)
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex')
}

/** Returns the relative paths of all files in the folder, sorted. */
async function listFiles(root: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(root, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    const isNoFolder = cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR'
    const sentence = isNoFolder ? `${root} is not a folder.` : `The folder ${root} could not be read.`
    throw new AppError('invalid_input', sentence, { help: forms, cause })
  })
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

async function readTable(root: string, file: string, sample: Sample, options: SampleOptions): Promise<void> {
  const table = parseSampleTable(await readFile(join(root, file), 'utf8'), basename(file), options.pair)
  if (table.kind === 'pairs') {
    const { source, target, rows } = table
    for (const code of [source, target]) assertKnownLanguage(code, file)
    const pairs = rows.map(({ line, text, reference }) => ({
      name: `${file}:${line}`,
      source,
      target,
      text,
      reference,
    }))
    sample.pairs.push(...pairs)
    return
  }
  await assertFilesExist(root, file, table.rows)
  for (const row of table.rows) {
    const name = join(dirname(file), row.file)
    const language = row.language ?? languageOf(name, options)
    sample.spoken.push({ name, path: join(root, name), language: assertKnownLanguage(language, name), text: row.text })
  }
}

async function assertFilesExist(root: string, file: string, rows: RecordingRow[]): Promise<void> {
  const missing: string[] = []
  for (const row of rows) {
    const info = await stat(join(root, dirname(file), row.file)).catch(() => undefined)
    if (!info?.isFile()) missing.push(row.file)
  }
  if (missing.length > 0) throw withoutRecording(missing, `which ${file} names`)
}

/** Reads the text files next to recordings. Text files in a folder without recordings are ignored. */
async function readTextFiles(root: string, files: string[], sample: Sample, options: SampleOptions): Promise<void> {
  const inTables = new Set(sample.spoken.map(({ name }) => dirname(name)))
  const recordings = new Map(files.filter(isAudioFile).map((name) => [withoutExtension(name), name]))
  const folders = new Set([...recordings.values()].map((name) => dirname(name)))
  const texts = files.filter(
    (name) => extname(name) === '.txt' && folders.has(dirname(name)) && !inTables.has(dirname(name)),
  )
  const missing = texts.filter((name) => !recordings.has(withoutExtension(name)))
  if (missing.length > 0) throw withoutRecording(missing, 'of the same name')
  for (const file of texts) {
    const name = recordings.get(withoutExtension(file)) ?? ''
    const text = (await readFile(join(root, file), 'utf8')).replace(/^\uFEFF/u, '').trim()
    if (text === '') throw new AppError('invalid_input', `The text of ${name} is empty: ${file}.`)
    const language = assertKnownLanguage(languageOf(name, options), name)
    sample.spoken.push({ name, path: join(root, name), language, text })
  }
}

function languageOf(name: string, { language }: SampleOptions): string {
  const folder = basename(dirname(name))
  return isKnownLanguage(folder) ? folder : (language ?? '')
}

function assertKnownLanguage(language: string, name: string): string {
  if (isKnownLanguage(language)) return language
  const sentence =
    language === '' ? `The language of ${name} is not known.` : `"${language}" (${name}) is not a language Awaz knows.`
  throw new AppError('invalid_input', sentence, {
    help: 'Name it with --language, in a third column, or by a folder such as fa/.',
  })
}

function withoutRecording(names: string[], why: string): AppError {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')
  const noun = names.length === 1 ? 'This text has' : 'These texts have'
  return new AppError('invalid_input', `${noun} no recording ${why}: ${shown}.`, { help: forms })
}

function withoutExtension(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}
