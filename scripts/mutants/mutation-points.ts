// Finds the places where a change to a source file should be noticed by a test.
import { parseSync } from 'vite'
import { mutators, type Node, type Replacement } from './mutators.ts'

export interface MutationPoint extends Replacement {
  /** Counted from 1. */
  line: number
  /** The piece of source that is replaced, on one line. */
  before: string
  after: string
  /** The body of the innermost enclosing function, which must run for the change to matter. Absent for code of the module itself. */
  body?: { start: number; end: number; isBlock: boolean }
}

/** Calls whose texts only reach a log, a developer or a type. */
const silentCallees = /^(console|log|logger|\w*[lL]og)\.|^(describe|Symbol)$|\.describe$/

/** Attributes of elements that only say how something looks. */
const cosmeticAttributes = /^(style|styles|classNames|className|c|bg|size|variant|color|key|data-\w+)$/

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown) => [value].flat().filter(isNode))
}

/** Whether a change in this part of the tree affects nothing that the program does, except texts for developers. */
function isLeftOut(node: Node, source: string): boolean {
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true
  if (node.type === 'JSXAttribute') {
    const name = source.slice(node.name.start, node.name.end)
    return node.value?.type === 'Literal' || cosmeticAttributes.test(name)
  }
  if (node.type === 'CallExpression') return silentCallees.test(source.slice(node.callee.start, node.callee.end))
  return false
}

/** Whether it is a key, a directive, the path of a module or the text of an error: a string that is not a value of the program. */
function isNoValue(node: Node, parent: Node | undefined, source: string): boolean {
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return false
  switch (parent?.type) {
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key === node
    case 'ExpressionStatement':
    case 'ImportExpression':
    case 'ExportNamedDeclaration':
      return true
    case 'NewExpression':
      return source.slice(parent.callee.start, parent.callee.end).endsWith('Error') && parent.arguments.at(-1) === node
    default:
      return false
  }
}

/** Returns the expression of a change before and after it: an operator says little without its operands. */
function describe(source: string, change: Replacement, node: Node) {
  const whole = source.slice(node.start, node.end)
  if (whole.length > 100) return { before: source.slice(change.start, change.end), after: change.text }
  const at = change.start - node.start
  return { before: whole, after: whole.slice(0, at) + change.text + whole.slice(at + change.end - change.start) }
}

function bodyOf(node: Node): MutationPoint['body'] {
  const isFunction =
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  if (!isFunction || !node.body) return undefined
  return { start: node.body.start, end: node.body.end, isBlock: node.body.type === 'BlockStatement' }
}

/** Returns the source with the change made. */
export function mutate(source: string, { start, end, text }: Replacement): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** Returns every change of a file, in the order of its lines. Changes after which the file no longer parses are left out. */
export function findMutationPoints(path: string, source: string): MutationPoint[] {
  const points: MutationPoint[] = []
  const parse = (text: string) => parseSync(path, text, { sourceType: 'module' })
  const visit = (node: Node, parent: Node | undefined, outer: MutationPoint['body']) => {
    if (isLeftOut(node, source)) return
    const own = bodyOf(node)
    const changes = isNoValue(node, parent, source) ? [] : mutators.flatMap((mutator) => mutator(node, source, parent))
    for (const change of changes) {
      const line = source.slice(0, change.start).split('\n').length
      points.push({ ...change, line, body: own ?? outer, ...describe(source, change, node) })
    }
    // Defaults of parameters run before the body: they belong to the code around the function.
    for (const child of childrenOf(node)) visit(child, node, child.start === own?.start ? own : outer)
  }
  visit(parse(source).program, undefined, undefined)
  return points
    .filter((point) => parse(mutate(source, point)).errors.length === 0)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}
