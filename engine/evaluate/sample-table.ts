import { extname } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { audioExtensions } from '#contract/entities/recording.ts'
import { isKnownLanguage } from './sample-language.ts'

/** A row with its line number in the file, from 1. */
export interface RecordingRow {
  line: number
  file: string
  text: string
  language: string | undefined
}
export interface TextPairRow {
  line: number
  text: string
  reference: string
}

export type SampleTable =
  { kind: 'recordings'; rows: RecordingRow[] } | { kind: 'pairs'; source: string; target: string; rows: TextPairRow[] }

const columnNames = {
  file: ['file', 'path', 'audio', 'filename', 'wav'],
  text: ['text', 'transcript', 'sentence', 'transcription'],
  language: ['language', 'locale', 'lang'],
}

/**
 * Parses tab-separated values: either recordings with their texts (`file<TAB>text[<TAB>language]`, or any columns under a header that names
 * them, as in Common Voice), or texts with their translations, in the languages named by the header, the file name (`ps-en.tsv`) or `pair`.
 *
 * @throws AppError `invalid_input` if none of them names the languages, or if a row has no text
 */
export function parseSampleTable(content: string, name: string, pair: string | undefined): SampleTable {
  const rows = content
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .map((row, index) => ({ line: index + 1, cells: row.split('\t').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const header = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? []
  const columns = findRecordingColumns(header)
  if (columns) return { kind: 'recordings', rows: rows.slice(1).map(toRecordingRow(columns, name)) }
  if (isAudioFile(header[0] ?? '')) {
    return { kind: 'recordings', rows: rows.map(toRecordingRow({ file: 0, text: 1, language: 2 }, name)) }
  }
  const [source = '', target = ''] = header
  if (isKnownLanguage(source) && isKnownLanguage(target)) {
    return { kind: 'pairs', source, target, rows: rows.slice(1).map(toTextPairRow(name)) }
  }
  const named = /([a-z]{2,3})-([a-z]{2,3})/u.exec(pair ?? name)
  if (named?.[1] === undefined || named[2] === undefined) {
    throw new AppError('invalid_input', `The languages of ${name} are not known.`, {
      help: 'Call it ps-en.tsv, give it a first row such as "ps<TAB>en", or name them with --pair ps-en.',
    })
  }
  return { kind: 'pairs', source: named[1], target: named[2], rows: rows.map(toTextPairRow(name)) }
}

export function isAudioFile(name: string): boolean {
  return audioExtensions.some((extension) => extname(name).toLowerCase() === `.${extension}`)
}

interface RecordingColumns {
  file: number
  text: number
  language: number
}

/** Column indexes; -1 for a missing column. */
function findRecordingColumns(header: string[]): RecordingColumns | undefined {
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

function toRecordingRow(columns: RecordingColumns, name: string): (row: Row) => RecordingRow {
  return ({ line, cells }) => ({
    line,
    file: requireCell(cells[columns.file], name, line),
    text: requireCell(cells[columns.text], name, line),
    language: cells[columns.language] || undefined,
  })
}

function toTextPairRow(name: string): (row: Row) => TextPairRow {
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
