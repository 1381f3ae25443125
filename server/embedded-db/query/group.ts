import { CommandError } from '../errors.ts'
import { average, extreme, sum } from './expression-operators.ts'
import { compileExpression, type Expression, type Variables } from './expression.ts'
import { encodeKey } from '../storage/index-keys.ts'
import { isDocument, setField, type Document } from '../bson/values.ts'

type Finish = (values: unknown[]) => unknown

/** Accumulators of `$group`, over the values of one group in document order. */
const accumulators: Readonly<Record<string, Finish>> = {
  $sum: sum,
  $avg: average,
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $count: (values) => values.length,
}

/** Returns the names of the accumulators. */
export function accumulatorNames(): string[] {
  return Object.keys(accumulators).toSorted()
}

interface Field {
  name: string
  expression: Expression
  finish: Finish
}

interface Group {
  id: unknown
  values: unknown[][]
}

/** Compiles `$group`; groups are in order of first occurrence. */
export function compileGroup(specification: Document, variables: Variables): (documents: Document[]) => Document[] {
  if (!('_id' in specification)) throw new CommandError('Location15955', 'a group specification must include an _id')
  const id = compileExpression(specification._id, variables)
  const fields = Object.entries(specification)
    .filter(([name]) => name !== '_id')
    .map(([name, accumulator]) => compileField(name, accumulator, variables))
  return (documents) => {
    const groups = new Map<string, Group>()
    for (const document of documents) {
      const scope = { root: document, variables }
      const key = id(scope) ?? null
      const text = encodeKey(key).toString('latin1')
      const group = groups.get(text) ?? { id: key, values: fields.map(() => []) }
      groups.set(text, group)
      for (const [index, field] of fields.entries()) group.values[index]?.push(field.expression(scope))
    }
    return [...groups.values()].map((group) => present(group, fields))
  }
}

function compileField(name: string, accumulator: unknown, variables: Variables): Field {
  const [operator = '', ...others] = isDocument(accumulator) ? Object.keys(accumulator) : []
  const finish = accumulators[operator]
  if (!isDocument(accumulator) || !finish || others.length > 0) {
    throw new CommandError(
      'Location40234',
      `The field '${name}' must be one known accumulator object, not '${operator}'`,
    )
  }
  return { name, finish, expression: compileExpression(accumulator[operator], variables) }
}

function present(group: Group, fields: Field[]): Document {
  const result: Document = { _id: group.id }
  for (const [index, field] of fields.entries()) setField(result, field.name, field.finish(group.values[index] ?? []))
  return result
}
