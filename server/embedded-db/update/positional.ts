import type { Variables } from '../query/expression.ts'
import { compileFilter, elementTest, fieldCondition, type Predicate } from '../query/match.ts'
import { isArrayIndex } from '../query/paths.ts'
import { isDocument, type Document } from '../bson/values.ts'

/**
 * Finds the array element that made a document match, for the positional `$` of updates and projections: the first
 * condition of the filter on that array decides. Returns undefined if no condition names the array or no element fits.
 */
export function positionalElement(
  filter: Document,
  arrayPath: string,
  array: unknown[],
  variables: Variables,
): number | undefined {
  for (const [path, condition] of conditions(filter)) {
    const index = elementIndex(path, condition, arrayPath, array, variables)
    if (index !== undefined && index >= 0) return index
  }
  return undefined
}

function* conditions(filter: Document): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(filter)) {
    if ((key === '$and' || key === '$or') && Array.isArray(value)) {
      for (const branch of value) if (isDocument(branch)) yield* conditions(branch)
    } else {
      yield [key, value]
    }
  }
}

function elementIndex(
  path: string,
  condition: unknown,
  arrayPath: string,
  array: unknown[],
  variables: Variables,
): number | undefined {
  if (path === arrayPath) return array.findIndex(conditionTest(condition, variables))
  if (path.startsWith(`${arrayPath}.`)) {
    const rest = path.slice(arrayPath.length + 1)
    const [first = ''] = rest.split('.')
    if (isArrayIndex(first)) return Number(first)
    const predicate = compileFilter({ [rest]: condition }, variables)
    return array.findIndex((element) => isDocument(element) && predicate(element))
  }
  const isOuterArray = arrayPath.startsWith(`${path}.`) && isDocument(condition) && isDocument(condition.$elemMatch)
  if (!isOuterArray || !isDocument(condition.$elemMatch)) return undefined
  return positionalElement(condition.$elemMatch, arrayPath.slice(path.length + 1), array, variables)
}

function conditionTest(condition: unknown, variables: Variables): Predicate {
  if (isDocument(condition) && isDocument(condition.$elemMatch)) return elementTest(condition.$elemMatch, variables)
  const predicate = fieldCondition('element', condition, variables)
  return (element) => predicate({ element })
}
