import { extname } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { audioExtensions } from '#contract/entities/recording.ts'
import { isKnownLanguage } from './sample-language.ts'

/** A line of a table: its number in the file, from 1, and its cells by what they hold. */
export interface SoundRow {
  line: number
  file: string
  text: string
  language: string | undefined
}
export interface PairRow {
  line: number
  text: string
  reference: string
}

export type SampleTable =
  { kind: 'sounds'; rows: SoundRow[] } | { kind: 'pairs'; source: string; target: string; rows: PairRow[] }

const columnNames = {
  file: ['file', 'path', 'audio', 'filename', 'wav'],
  text: ['text', 'transcript', 'sentence', 'transcription'],
  language: ['language', 'locale', 'lang'],
}

/**
 * Reads tab-separated values: sounds with their text (`file<TAB>text[<TAB>language]`, or any columns under a header that names them, as
 * Common Voice has it), else texts with their translation, whose languages the header, the file's name (`ps-en.tsv`) or `pair` name.
 *
 * @throws AppError `invalid_input` where none of them names the languages, or a row has no text
 */
export function parseSampleTable(content: string, name: string, pair: string | undefined): SampleTable {
  const rows = content
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .map((row, index) => ({ line: index + 1, cells: row.split('\t').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const header = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? []
  const columns = findSoundColumns(header)
  if (columns) return { kind: 'sounds', rows: rows.slice(1).map(toSoundRow(columns, name)) }
  if (isSoundFile(header[0] ?? '')) {
    return { kind: 'sounds', rows: rows.map(toSoundRow({ file: 0, text: 1, language: 2 }, name)) }
  }
  const [source = '', target = ''] = header
  if (isKnownLanguage(source) && isKnownLanguage(target)) {
    return { kind: 'pairs', source, target, rows: rows.slice(1).map(toPairRow(name)) }
  }
  const named = /([a-z]{2,3})-([a-z]{2,3})/u.exec(pair ?? name)
  if (named?.[1] === undefined || named[2] === undefined) {
    throw new AppError('invalid_input', `The languages of ${name} are not known.`, {
      help: 'Call it ps-en.tsv, give it a first row such as "ps<TAB>en", or name them with --pair ps-en.',
    })
  }
  return { kind: 'pairs', source: named[1], target: named[2], rows: rows.map(toPairRow(name)) }
}

export function isSoundFile(name: string): boolean {
  return audioExtensions.some((extension) => extname(name).toLowerCase() === `.${extension}`)
}

interface SoundColumns {
  file: number
  text: number
  language: number
}

/** -1 stands for a column that is not there. */
function findSoundColumns(header: string[]): SoundColumns | undefined {
  const find = (names: string[]) => header.findIndex((cell) => names.includes(cell))
  const columns = {
    file: find(columnNames.file),
    text: find(columnNames.text),
    language: find(columnNames.language),
  }
  return columns.file >= 0 && columns.text >= 0 ? columns : undefined
}

interface Row {
  line: number
  cells: string[]
}

function toSoundRow(columns: SoundColumns, name: string): (row: Row) => SoundRow {
  return ({ line, cells }) => ({
    line,
    file: requireCell(cells[columns.file], name, line),
    text: requireCell(cells[columns.text], name, line),
    language: cells[columns.language] || undefined,
  })
}

function toPairRow(name: string): (row: Row) => PairRow {
  return ({ line, cells }) => ({
    line,
    text: requireCell(cells[0], name, line),
    reference: requireCell(cells[1], name, line),
  })
}

function requireCell(cell: string | undefined, name: string, line: number): string {
  if (cell) return cell
  throw new AppError('invalid_input', `Line ${line} of ${name} has an empty text.`, {
    help: 'A line holds two or more columns with a tab between them.',
  })
}
