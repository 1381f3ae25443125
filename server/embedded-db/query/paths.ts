import { isDocument } from '../bson/values.ts'

const digitsPattern = /^\d+$/

export function isArrayIndex(part: string): boolean {
  return digitsPattern.test(part)
}

/** Represents the value of an empty array in an index, where MongoDB sorts it before null. */
export const emptyArray = Symbol('empty array')

/**
 * Tests the values that a dotted path reaches, descending into arrays as MongoDB does: `a.b` reaches every `b` of the documents in the
 * array `a`. A missing field is tested as undefined, once for each document. An array without documents is not tested.
 *
 * @param isWhole true: an array at the end is tested only as a whole. false: its elements are tested too.
 */
export function somePathValue(
  root: unknown,
  parts: readonly string[],
  test: (value: unknown) => boolean,
  { isWhole = false } = {},
): boolean {
  return visit(root, 0)

  function visit(node: unknown, depth: number): boolean {
    const part = parts[depth]
    if (part === undefined) return test(node) || (!isWhole && Array.isArray(node) && node.some(test))
    if (Array.isArray(node)) return visitArray(node, part, depth)
    if (!isDocument(node)) return test(undefined)
    return visit(Object.hasOwn(node, part) ? node[part] : undefined, depth + 1)
  }

  function visitArray(node: unknown[], part: string, depth: number): boolean {
    if (isArrayIndex(part) && Number(part) < node.length && visit(node[Number(part)], depth + 1)) return true
    return node.some((element) => isDocument(element) && visit(element, depth))
  }
}

/** Returns the values of a path in an index or a sort key; arrays expand to their elements. */
export function indexValues(root: unknown, parts: readonly string[]): unknown[] {
  const values: unknown[] = []
  collect(root, 0)
  return values

  function collect(node: unknown, depth: number): void {
    const part = parts[depth]
    if (part === undefined) {
      if (!Array.isArray(node)) values.push(node)
      else if (node.length === 0) values.push(emptyArray)
      else values.push(...node)
    } else if (Array.isArray(node)) {
      collectArray(node, part, depth)
    } else {
      collect(isDocument(node) && Object.hasOwn(node, part) ? node[part] : undefined, depth + 1)
    }
  }

  function collectArray(node: unknown[], part: string, depth: number): void {
    const index = Number(part)
    const isElement = isArrayIndex(part) && index < node.length
    if (isElement) collect(node[index], depth + 1)
    if (node.length === 0) values.push(undefined)
    for (const element of node) {
      if (isDocument(element)) collect(element, depth)
      else if (!isElement) values.push(undefined)
    }
  }
}

/** Returns the value of a path without descending into arrays; undefined when there is none. */
export function plainValue(root: unknown, parts: readonly string[]): unknown {
  let node = root
  for (const part of parts) {
    if (!isDocument(node) || !Object.hasOwn(node, part)) return undefined
    node = node[part]
  }
  return node
}
