/** Replaces a value that has no allowed shape. */
export const masked = 'masked'

/** Returns the part of a value that may be written, as JSON. Unrecognized values are masked. */
export type Shape = (value: unknown) => unknown

const moments = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/
/** Two or three numbers, and the commit of a release: four would be an IP address. */
const versions = /^v?(\d{1,5}\.\d{1,5}(?:\.\d{1,5})?(?:\+\d{8}\.[0-9a-f]{7,40}(?:\.modified)?)?)(?!\.?\d)/
const sha256 = /^[0-9a-f]{64}$/

/** A number. `Infinity` and `NaN`, which JSON lacks, become strings. */
export const number = shapeOf((value) => {
  if (typeof value !== 'number') return undefined
  return Number.isFinite(value) ? value : String(value)
})

export const flag = shapeOf((value) => (typeof value === 'boolean' ? value : undefined))

/** A Date or an ISO 8601 string, in UTC. */
export const moment = shapeOf((value) => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return matching(value, moments)?.[0]
})

/** The numbers at the beginning of a version, and its commit. What a distribution or a builder added is left out. */
export const version = shapeOf((value) => matching(value, versions)?.[1])

/** The SHA-256 of a file that Awaz did not get from a person, such as a model. */
export const fileHash = shapeOf((value) => matching(value, sha256)?.[0])

/** One of the product's own words, never words from data. */
export function oneOf(words: Iterable<string>, instead: string = masked): Shape {
  const known = new Set(words)
  return shapeOf((value) => (typeof value === 'string' && known.has(value) ? value : undefined), instead)
}

/** A string that matches a narrow pattern in full. */
export function pattern(allowed: RegExp): Shape {
  return shapeOf((value) => (matching(value, allowed)?.[0] === value ? value : undefined))
}

/** Those words of a text that are the product's own, each once. The others are left out. */
export function wordsIn(words: Iterable<string>): Shape {
  const known = new Set(words)
  return shapeOf((value) =>
    typeof value === 'string' ? [...new Set(value.match(/\w+/g))].filter((word) => known.has(word)) : undefined,
  )
}

/** What the first shape that recognizes a value makes of it; `instead` where none does. */
export function anyOf(shapes: readonly Shape[], instead: string = masked): Shape {
  return shapeOf((value) => shapes.map((shape) => shape(value)).find((result) => result !== masked), instead)
}

export function listOf(shape: Shape): Shape {
  return shapeOf((value) => (Array.isArray(value) ? value.map(shape) : undefined))
}

/** An object with these fields. Others are left out, and so are their names. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return shapeOf((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const given = new Map(Object.entries(value))
    const kept = Object.entries(shapes).filter(([name]) => given.get(name) !== undefined)
    return Object.fromEntries(kept.map(([name, shape]) => [name, shape(given.get(name))]))
  })
}

/** Builds a shape from a function that returns undefined for values it does not recognize. Null and undefined become null. */
function shapeOf(recognize: (value: unknown) => unknown, instead: string = masked): Shape {
  return (value) => (value === null || value === undefined ? null : (recognize(value) ?? instead))
}

function matching(value: unknown, expected: RegExp): RegExpExecArray | undefined {
  return typeof value === 'string' ? (expected.exec(value) ?? undefined) : undefined
}
