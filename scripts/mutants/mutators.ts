// The changes to make in a piece of source, by kind of syntax: the usual set of mutation testing.
import type { ESTree } from 'vite'

export type Node = ESTree.Node

/** A change of the source between two offsets. */
export interface Replacement {
  start: number
  end: number
  text: string
}

type Source = string
type Mutator = (node: Node, source: Source, parent: Node | undefined) => Replacement[]

const binaryOperators: Record<string, string[]> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const logicalOperators: Record<string, string[]> = { '&&': ['||'], '||': ['&&'], '??': ['&&'] }
const assignmentOperators: Record<string, string[]> = {
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '&&=': ['||='],
  '||=': ['&&='],
  '??=': ['&&='],
}

/** Methods, each with the method that replaces it; undefined leaves just the receiver. */
const methods: Record<string, string | undefined> = {
  every: 'some',
  some: 'every',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  trim: undefined,
  filter: undefined,
  sort: undefined,
  toSorted: undefined,
  reverse: undefined,
  toReversed: undefined,
  slice: undefined,
}

const replaced = (node: Node, text: string): Replacement => ({ start: node.start, end: node.end, text })

/** Returns the replacements of the operator between two operands. */
function operator(left: Node, right: Node, from: string, to: string[] | undefined, source: Source): Replacement[] {
  const start = source.indexOf(from, left.end)
  if (!to || start < 0 || start >= right.start) return []
  return to.map((text) => ({ start, end: start + from.length, text }))
}

function isText(node: Node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function hasText(node: Node): boolean {
  return isText(node) || (node.type === 'BinaryExpression' && (hasText(node.left) || hasText(node.right)))
}

const operators: Mutator = (node, source) => {
  if (node.type === 'BinaryExpression') {
    const from = node.operator
    if (from === '+' && (hasText(node.left) || hasText(node.right))) return []
    return operator(node.left, node.right, from, binaryOperators[from], source)
  }
  if (node.type === 'LogicalExpression') {
    const found = operator(node.left, node.right, node.operator, logicalOperators[node.operator], source)
    // `a && b ?? c` is a syntax error: both operands of a changed operator are put in parentheses.
    return found.map(({ text }) => {
      const left = source.slice(node.left.start, node.left.end)
      return replaced(node, `(${left}) ${text} (${source.slice(node.right.start, node.right.end)})`)
    })
  }
  if (node.type === 'AssignmentExpression') {
    return operator(node.left, node.right, node.operator, assignmentOperators[node.operator], source)
  }
  if (node.type === 'UpdateExpression') {
    const start = node.prefix ? node.start : node.end - 2
    return [{ start, end: start + 2, text: node.operator === '++' ? '--' : '++' }]
  }
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    return [{ start: node.start, end: node.start + 1, text: '+' }]
  }
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    return [{ start: node.start, end: node.start + 1, text: '' }]
  }
  return []
}

/** Returns the negated test. Comparisons and tests with a `!` are left to another mutator. */
function negated(test: Node, source: Source): Replacement[] {
  if (test.type === 'BinaryExpression' && binaryOperators[test.operator]?.length === 1) return []
  if (test.type === 'UnaryExpression' && test.operator === '!') return []
  return [replaced(test, `!(${source.slice(test.start, test.end)})`)]
}

const conditions: Mutator = (node, source) => {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [...negated(node.test, source), replaced(node.test, 'true'), replaced(node.test, 'false')]
    case 'WhileStatement':
    case 'DoWhileStatement':
      return [replaced(node.test, 'false')]
    case 'ForStatement':
      return node.test ? [replaced(node.test, 'false')] : []
    default:
      return []
  }
}

const literals: Mutator = (node, _source, parent) => {
  if (node.type === 'Literal' && typeof node.value === 'boolean') return [replaced(node, String(!node.value))]
  if (node.type === 'Literal' && typeof node.value === 'string') {
    return [replaced(node, node.value === '' ? "'mutant'" : "''")]
  }
  if (node.type === 'TemplateLiteral') {
    const isEmpty = node.quasis.length === 1 && node.quasis[0]?.value.raw === ''
    return isEmpty || parent?.type === 'TaggedTemplateExpression' ? [] : [replaced(node, '``')]
  }
  if (node.type === 'ArrayExpression') return node.elements.length > 0 ? [replaced(node, '[]')] : []
  if (node.type === 'ObjectExpression') return node.properties.length > 0 ? [replaced(node, '{}')] : []
  return []
}

const calls: Mutator = (node, source) => {
  if ((node.type === 'CallExpression' || node.type === 'MemberExpression') && node.optional) {
    const operand = node.type === 'CallExpression' ? node.callee : node.object
    const start = source.indexOf('?.', operand.end)
    const isPlain = node.type === 'MemberExpression' && !node.computed
    if (start >= 0 && start < node.end) return [{ start, end: start + 2, text: isPlain ? '.' : '' }]
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.computed) return []
  const { object, property } = node.callee
  const name = property.type === 'Identifier' ? property.name : ''
  if (!Object.hasOwn(methods, name)) return []
  const other = methods[name]
  return [other ? replaced(property, other) : { start: object.end, end: node.end, text: '' }]
}

const bodies: Mutator = (node, source) => {
  if (node.type === 'ReturnStatement') {
    const isUndefined = node.argument?.type === 'Identifier' && node.argument.name === 'undefined'
    return node.argument && !isUndefined ? [replaced(node.argument, 'undefined')] : []
  }
  const isFunction =
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  if (!isFunction || !node.body) return []
  if (node.body.type === 'BlockStatement') {
    const [first, ...others] = node.body.body
    const isOneReturn = first?.type === 'ReturnStatement' && others.length === 0
    return !first || isOneReturn ? [] : [replaced(node.body, '{}')]
  }
  // An object as the body of an arrow function is in parentheses, which are not part of the node: `undefined` fits between them.
  const text = source.slice(node.body.start, node.body.end)
  return text === 'undefined' ? [] : [replaced(node.body, 'undefined')]
}

export const mutators: Mutator[] = [operators, conditions, literals, calls, bodies]
