import { parseSync } from 'vite'

/** The name of the page in a message. */
const page = 'docs/specification.md'

interface Row {
  /** Letter of the specification page and number within it, such as `A12`, or `A12a` for a row inserted later. */
  id: string
  testedBy: string
}

interface SpecificationOptions {
  /** Text of docs/specification.md. */
  text: string
  /** Returns a file of the repository; undefined if there is none. */
  readFile: (path: string) => string | undefined
}

/**
 * Returns the problems in the list of the specification's statements, one sentence each: rows out of order, rows that name neither a test
 * nor a reason, and tests that do not exist.
 */
export function findSpecificationProblems({ text, readFile }: SpecificationOptions): string[] {
  const lines = text.split('\n').filter(isRow)
  const rows = lines.map(parseRow)
  const readTests = cached((path: string) => {
    const source = readFile(path)
    return source === undefined ? undefined : listTestNames(path, source)
  })
  return [
    ...(lines.length === 0 ? [`${page} has no rows`] : []),
    ...lines.filter((_, index) => !rows[index]).map((line) => `${page}: this is no row of three cells: ${line}`),
    ...findWrongOrder(rows.filter((row) => row !== undefined)),
    ...rows.flatMap((row) => (row ? findMissingTests(row, readTests) : [])),
  ]
}

/** Whether a line is a row of a table, other than its header and the line below that. */
function isRow(line: string): boolean {
  return line.startsWith('|') && !/^\|\s*(No\.|:?-+:?)\s*\|/.test(line)
}

function parseRow(line: string): Row | undefined {
  // A bar inside a cell is escaped.
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
  const [before, id = '', statement, testedBy = '', after] = cells
  const isWhole = cells.length === 5 && !before && !after && /^[A-Z]\d+[a-z]?$/.test(id) && statement
  return isWhole ? { id, testedBy } : undefined
}

/** Numbers must ascend within their letter. Gaps are allowed, so that removing a row does not rename the others. */
function findWrongOrder(rows: Row[]): string[] {
  const seen = new Set<string>()
  const last = new Map<string, string>()
  return rows.flatMap(({ id }) => {
    if (seen.has(id)) return [`${page} has ${id} twice`]
    seen.add(id)
    const letter = id.charAt(0)
    const before = last.get(letter)
    if (before !== undefined && id.localeCompare(before, 'en', { numeric: true }) < 0)
      return [`${page} has ${id} after ${before}`]
    last.set(letter, id)
    return []
  })
}

function findMissingTests({ id, testedBy }: Row, readTests: (path: string) => Set<string> | undefined): string[] {
  const reason = /^Not tested:(.*)$/.exec(testedBy)?.[1]
  if (reason !== undefined) return reason.trim() ? [] : [`${page}, ${id}, does not say why it is not tested`]
  return testedBy.split('<br>').flatMap((part) => {
    // A name that contains a backtick is enclosed in double backticks.
    const [, , path, , name] = /^(`+)(.+?)\1 › (`+)(.+?)\3$/.exec(part.trim()) ?? []
    if (!path || !name) return [`${page}, ${id}, names neither a test nor why there is none: ${part.trim()}`]
    const tests = readTests(path)
    if (!tests) return [`${page}, ${id}, names ${path}, which is missing`]
    return tests.has(name.trim())
      ? []
      : [`${page}, ${id}, names the test "${name.trim()}", which ${path} does not have`]
  })
}

/** Returns the first arguments of all `it(…)`, `test(…)`, `it.each(…)(…)` and the like, as written in the source. */
export function listTestNames(path: string, source: string): Set<string> {
  const names = new Set<string>()
  const pending: unknown[] = [parseSync(path, source).program]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== 'object' || node === null) continue
    const { type, callee, arguments: given } = node as Partial<CallNode>
    if (type === 'CallExpression' && isTestFunction(callee)) {
      const name = readName(given?.[0], source)
      if (name) names.add(name)
    }
    pending.push(...Object.values(node))
  }
  return names
}

/** The properties of a syntax tree node that are read here. */
interface CallNode {
  type: string
  callee: CallNode
  object: CallNode
  tag: CallNode
  name: string
  arguments: CallNode[]
  value: unknown
  start: number
  end: number
}

/** Whether a called expression is `it` or `test`, or begins so: `it.each(rows)`, `test.skipIf(condition)`. */
function isTestFunction(node: Partial<CallNode> | undefined): boolean {
  if (!node) return false
  if (node.type === 'Identifier') return node.name === 'it' || node.name === 'test'
  return isTestFunction(node.object ?? node.callee ?? node.tag)
}

function readName(node: Partial<CallNode> | undefined, source: string): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  return node?.type === 'TemplateLiteral' ? source.slice((node.start ?? 0) + 1, (node.end ?? 0) - 1) : undefined
}

function cached<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    values.set(key, value)
    return value
  }
}
