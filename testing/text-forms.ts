import type { CompiledText } from '#contract/texts/compile-text.ts'

/** One form of a text; a text with a plural or a choice has several. */
export interface TextForm {
  /** The words, with 1 for each value. */
  sample: string
  /** Returns the values, by name, of a text that has this form; undefined if it has another form. */
  readValues: (text: string) => Record<string, string> | undefined
  /** Takes the beginning of a text of this form and returns a pattern for its first value, by name; undefined for another form. */
  readBeginning: (text: string) => Record<string, string> | undefined
  /** Returns a pattern for texts of this form. `values` are patterns by name; a value without one may be anything. */
  toSource: (values?: Record<string, string>) => string
}

/** Words, the name of a value, or the choice that the following words depend on. */
type Part = string | { value: string } | { value: string; choice: string }
type Node = string | number | Node[] | Record<string, unknown>

const numberOfForm: Record<string, string> = { one: '1', two: '2', few: '3', many: '11', other: '5', zero: '0' }

/** Lists every form of a compiled text. */
export function listTextForms(text: CompiledText): TextForm[] {
  return expand(text as Node).map(toForm)
}

function toForm(parts: Part[]): TextForm {
  const chosen = parts.flatMap((part) => (isChoice(part) ? [[part.value, part.choice]] : []))
  const shown = merge(parts)
  const names = shown.flatMap((part) => (typeof part === 'string' ? [] : [part.value]))
  const pattern = shown.map((part) => (typeof part === 'string' ? escapePattern(part) : '(.+)')).join('')
  const [first, second] = shown
  // A form that consists only of values would match anything.
  const hasWords = shown.some((part) => typeof part === 'string' && /[A-Za-z]{2}/.test(part))
  let matcher: RegExp | undefined
  return {
    sample: shown.map((part) => (typeof part === 'string' ? part : '1')).join(''),
    readValues(text) {
      if (!hasWords || names.length === 0) return undefined
      matcher ??= new RegExp(`^${pattern}$`, 's')
      const found = matcher.exec(text)
      if (!found) return undefined
      return Object.fromEntries([...chosen, ...names.map((name, index) => [name, found[index + 1] ?? ''])]) as Record<
        string,
        string
      >
    },
    readBeginning(text) {
      if (typeof first !== 'string' || typeof second !== 'object' || !hasWords) return undefined
      if (!text.startsWith(first)) return undefined
      return { [second.value]: `${escapePattern(text.slice(first.length))}.*` }
    },
    toSource: (values = {}) =>
      shown.map((part) => (typeof part === 'string' ? escapePattern(part) : (values[part.value] ?? '.*'))).join(''),
  }
}

function isChoice(part: Part): part is { value: string; choice: string } {
  return typeof part === 'object' && 'choice' in part
}

/** Joins neighboring words and leaves out the choices. */
function merge(parts: Part[]): (string | { value: string })[] {
  return parts.reduce<(string | { value: string })[]>((merged, part) => {
    if (isChoice(part)) return merged
    const last = merged.at(-1)
    if (typeof last === 'string' && typeof part === 'string') return [...merged.slice(0, -1), last + part]
    return [...merged, part]
  }, [])
}

/** Takes the nodes of icu-minify; `counted` is the value that # stands for. */
function expand(nodes: Node, counted = ''): Part[][] {
  if (!Array.isArray(nodes)) return [[typeof nodes === 'string' ? nodes : { value: counted }]]
  return nodes.reduce<Part[][]>(
    (forms, node) => forms.flatMap((form) => expandNode(node, counted).map((next) => [...form, ...next])),
    [[]],
  )
}

function expandNode(node: Node, counted: string): Part[][] {
  if (!Array.isArray(node)) return expand(node, counted)
  const [name, kind, branches] = node
  const value = String(name)
  if (kind === undefined) return [[{ value }]]
  if (typeof kind !== 'number') return expand(node.slice(1), counted)
  if (typeof branches !== 'object' || Array.isArray(branches) || kind === 4) return [[{ value }]]
  return Object.entries(branches).flatMap(([key, branch]) => {
    const choice = kind === 1 ? key : (numberOfForm[key] ?? key.replace('=', ''))
    return expand(branch as Node, value).map((parts) => [{ value, choice }, ...parts])
  })
}

/** Returns a pattern that matches a text literally. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
