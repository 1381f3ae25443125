import { CsvError, parse } from 'csv-parse/sync'
import type { ImportRow } from '#contract/entities/invitation.ts'
import { Role } from '#contract/entities/user.ts'
import { NewEmail, PersonName } from '#contract/names.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Invitee } from './new-invitation.ts'

const maxPeople = 1000

type Column = 'email' | 'first_name' | 'last_name' | 'role'

/** Accepted column names, ignoring case and separators. */
const columnNames: Record<Column, string[]> = {
  email: ['email', 'emailaddress', 'mail', 'mailaddress', 'address'],
  first_name: ['firstname', 'givenname', 'forename', 'first'],
  last_name: ['lastname', 'surname', 'familyname', 'last'],
  role: ['role'],
}
const roleNames = new Map<string, Role>([
  ['', 'user'],
  ['user', 'user'],
  ['admin', 'admin'],
  ['administrator', 'admin'],
  ['superadmin', 'super_admin'],
])

export interface ParsedPerson {
  row: ImportRow
  /** Missing if the row cannot be read. */
  invitee?: Invitee
}

interface CsvRecord {
  line: number
  values: string[]
}

/**
 * Reads people from a CSV file (RFC 4180) separated by commas, semicolons or tabs. The first line names the columns in any order; unknown
 * columns are ignored. Throws `invalid_input` if there is no column of addresses, nobody, or more than 1,000 people.
 */
export function parsePeople(csv: string): ParsedPerson[] {
  // For line numbers, every kind of line ending counts as one.
  const text = csv.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const { records, unclosedLine } = readRecords(text)
  const [header, ...others] = records
  const columns = readHeader(header?.values ?? [])
  const count = others.length + (unclosedLine === undefined ? 0 : 1)
  if (count === 0) throw invalidInput(['The file has no people: below the first line there is nothing.'], 'csv')
  if (count > maxPeople) {
    throw invalidInput([`The file has more than ${maxPeople.toLocaleString('en')} people. Please split it.`], 'csv')
  }
  const people = others.map((record) => toPerson(record, columns))
  nameDuplicates(people)
  return unclosedLine === undefined ? people : [...people, unclosed(unclosedLine)]
}

function readRecords(text: string): { records: CsvRecord[]; unclosedLine?: number } {
  let unclosedLine: number | undefined
  const found = parse(text, {
    delimiter: detectDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    info: true,
    raw: true,
    skip_records_with_error: true,
    on_skip(error, raw) {
      if (error instanceof CsvError) unclosedLine = firstLine(Number(error.lines), raw ?? '')
      return undefined
    },
    // The type declarations of csv-parse omit what `info` and `raw` add to a record.
  }) as unknown as { record: string[]; info: { lines: number }; raw: string }[]
  const records = found
    .map(({ record, info, raw }) => ({ line: firstLine(info.lines, raw), values: record }))
    .filter(({ values }) => values.some((value) => value !== ''))
  return { records, ...(unclosedLine !== undefined && { unclosedLine }) }
}

/** A record ends at `lastLine`; one with quoted line endings begins earlier. */
function firstLine(lastLine: number, raw: string): number {
  return lastLine - (raw.trim().match(/\n/g)?.length ?? 0)
}

/** Returns the separator that occurs most often in the first line. */
function detectDelimiter(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1)
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
}

interface Columns {
  indexes: Partial<Record<Column, number>>
  count: number
}

function readHeader(names: string[]): Columns {
  const indexes: Columns['indexes'] = {}
  for (const [index, name] of names.entries()) {
    const plain = name.toLowerCase().replaceAll(/[\s_.-]/g, '')
    const column = (Object.keys(columnNames) as Column[]).find((each) => columnNames[each].includes(plain)) // keys of a literal
    if (!column) continue
    if (indexes[column] !== undefined) throw invalidInput([`The first line names the column ${column} twice.`], 'csv')
    indexes[column] = index
  }
  if (indexes.email === undefined) {
    const message =
      'The first line must name the columns: email, and where you have them first_name, last_name and role.'
    throw invalidInput([message], 'csv')
  }
  return { indexes, count: names.length }
}

function toPerson({ line, values }: CsvRecord, { indexes, count }: Columns): ParsedPerson {
  const value = (column: Column) => values[indexes[column] ?? -1] ?? ''
  const errors = values.length > count ? [`There are ${values.length} values, but the first line names ${count}`] : []
  const fields = { email: value('email'), first_name: value('first_name'), last_name: value('last_name') }
  const email = NewEmail.safeParse(fields.email)
  const names = [PersonName.safeParse(fields.first_name), PersonName.safeParse(fields.last_name)] as const
  const role = roleNames.get(
    value('role')
      .toLowerCase()
      .replaceAll(/[\s_-]/g, ''),
  )
  for (const { error } of [email, ...names]) errors.push(...(error?.issues.map(({ message }) => message) ?? []))
  if (role === undefined) errors.push(`There is no role "${value('role')}". Roles: ${Role.options.join(', ')}`)
  const row: ImportRow = { line, ...fields, role: role ?? value('role'), errors: [...new Set(errors)] }
  const [first, last] = names
  if (!email.success || !first.success || !last.success || role === undefined) return { row }
  return { row, invitee: { email: email.data, firstName: first.data, lastName: last.data, role } }
}

function nameDuplicates(people: ParsedPerson[]): void {
  const lines = new Map<string, number>()
  for (const { row, invitee } of people) {
    if (!invitee) continue
    const earlier = lines.get(invitee.email)
    if (earlier === undefined) lines.set(invitee.email, row.line)
    else row.errors.push(`Line ${earlier} has the same address`)
  }
}

function unclosed(line: number): ParsedPerson {
  const errors = ['A quotation mark is opened here and never closed, so that the rest of the file cannot be read']
  return { row: { line, email: '', first_name: '', last_name: '', role: '', errors } }
}
