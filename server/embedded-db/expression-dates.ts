import { CommandError } from './errors.ts'
import { isNullish } from './expression-scalars.ts'
import { isDocument, isNumber, toNumeric, typeName } from './values.ts'

type Operator = (args: unknown[]) => unknown

const UNIT_MS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

/** Date operators with named arguments; only UTC, and only units of fixed length. */
export const dateOperators: Readonly<Record<string, Operator>> = {
  $dateAdd: ([argument]) => shift('$dateAdd', argument, 1),
  $dateSubtract: ([argument]) => shift('$dateSubtract', argument, -1),
  $dateDiff: ([argument]) => difference(argument),
  $dateTrunc: ([argument]) => truncate(argument),
  $dateToString: ([argument]) => format(argument),
}

function shift(operator: string, argument: unknown, sign: 1 | -1): Date | null {
  const { startDate, amount, unit } = named(operator, argument)
  if (isNullish(startDate) || isNullish(amount)) return null
  if (!isNumber(amount)) throw new CommandError('TypeMismatch', `${operator} expects a numeric amount`)
  return new Date(dateOf(operator, startDate).getTime() + sign * Number(toNumeric(amount)) * unitMs(operator, unit))
}

/** Counts the unit boundaries between two dates, as MongoDB does. */
function difference(argument: unknown): bigint | null {
  const { startDate, endDate, unit } = named('$dateDiff', argument)
  if (isNullish(startDate) || isNullish(endDate)) return null
  const ms = unitMs('$dateDiff', unit)
  if (unit === 'week') throw new CommandError('CommandNotSupported', '$dateDiff in weeks is not supported here')
  const [start, end] = [dateOf('$dateDiff', startDate), dateOf('$dateDiff', endDate)]
  return BigInt(Math.floor(end.getTime() / ms) - Math.floor(start.getTime() / ms))
}

function truncate(argument: unknown): Date | null {
  const { date, unit } = named('$dateTrunc', argument)
  if (isNullish(date)) return null
  if (unit === 'week') throw new CommandError('CommandNotSupported', '$dateTrunc to weeks is not supported here')
  const ms = unitMs('$dateTrunc', unit)
  return new Date(Math.floor(dateOf('$dateTrunc', date).getTime() / ms) * ms)
}

function format(argument: unknown): string | null {
  const { date, format: pattern = '%Y-%m-%dT%H:%M:%S.%LZ' } = named('$dateToString', argument)
  if (isNullish(date)) return null
  const iso = dateOf('$dateToString', date).toISOString()
  const fields: Record<string, string> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    L: iso.slice(20, 23),
    '%': '%',
  }
  return String(pattern).replace(/%(.)/g, (_, letter: string) => {
    const field = fields[letter]
    if (field === undefined)
      throw new CommandError('CommandNotSupported', `%${letter} in $dateToString is not supported here`)
    return field
  })
}

function named(operator: string, argument: unknown): Record<string, unknown> {
  if (!isDocument(argument)) throw new CommandError('FailedToParse', `${operator} needs an object as its argument`)
  if (argument.timezone !== undefined && argument.timezone !== 'UTC') {
    throw new CommandError('CommandNotSupported', `${operator} supports UTC alone in the embedded database`)
  }
  return argument
}

function unitMs(operator: string, unit: unknown): number {
  const ms = typeof unit === 'string' ? UNIT_MS[unit] : undefined
  if (ms === undefined)
    throw new CommandError('FailedToParse', `${operator} does not know the unit ${String(unit)} here`)
  return ms
}

function dateOf(operator: string, value: unknown): Date {
  if (value instanceof Date) return value
  throw new CommandError('TypeMismatch', `${operator} requires a date, not ${typeName(value)}`)
}
