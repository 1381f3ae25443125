import { parseSync } from 'vite'
import { findProblem } from '#server/http/interface-texts.ts'
import { isSettingsFile, isTest, type SourceFile } from './source-files.ts'

/** A node of the syntax tree (ESTree with JSX): its type, its position, and its children. */
interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

/** Attributes whose value users read or hear. */
const shownAttributes = new Set(
  `alt aria-label aria-valuetext closeButtonLabel confirmLabel data-label description emptyText error heading help label lead message
  placeholder subtitle thumbLabel title`.split(/\s+/),
)
/** Elements whose content is typed or printed verbatim in every language. */
const verbatimElements = new Set(['Code', 'code', 'kbd', 'style'])
/** Names of products and protocols, which are not translated in any language. */
const properNames = new Set(['Awaz', 'StartTLS', 'OpenID Connect'])

const shownSource = /^(?:web\/src|server|engine)\/.*\.tsx?$/
/** Commands whose findings and errors the System page shows: the checks of `awaz doctor`, and `awaz backup list` and `rehearse`. */
const shownCommands =
  /^scripts\/(?:doctor\/checks|backup\/(?:read|rehearse|restore))\/.*\.ts$|^scripts\/(?:admin\/database|doctor\/(?:run-)?checks|backup\/commands\/list)\.ts$/

/** How sentences write the command line, which has another name in a release folder. */
const commandLine = 'npm run awaz --'

/** Several words, the first with a capital, or a value. */
const sentence = /^[\p{Lu}“{]\S*\s.*\p{L}{3}/u
/** A setting, an address, or an LDAP or PEM name: not words. */
const technical = /^(?:[A-Z]+(?:_[A-Z]+)+|\S*[:=]\S*|-----.*)$/

interface FoundTexts {
  /** Every text of the interface, in English. */
  texts: Set<string>
  problems: string[]
}

/** Collects the texts of the interface, and reports those that users of another language would see in English. */
export function collectTexts(files: SourceFile[]): FoundTexts {
  const texts = new Set<string>()
  const problems: string[] = []
  for (const { path, text } of files) {
    const isWeb = path.startsWith('web/src/')
    const isCommand = shownCommands.test(path)
    if (isTest(path) || !(isCommand || (shownSource.test(path) && !path.startsWith('server/contract/texts/')))) continue
    if (
      !isWeb &&
      !isCommand &&
      !/\b(t|rich|AppError|FolderProblem|invalidInput)\(|\b(message|title|remedy|help):|\w(Message|Help) = /.test(text)
    )
      continue
    const report = ({ start }: Node, problem: string) =>
      problems.push(`${path}:${text.slice(0, start).split('\n').length} ${problem}`)
    visit(parseSync(path, text).program as unknown as Node, [], (node, parents) => {
      const called = calledText(node)
      if (called === 'computed') report(node, 'has a text that is not one literal: t() and rich() take nothing else')
      else if (called !== undefined) {
        texts.add(called)
        const malformed = findProblem(called, called)
        if (malformed) report(node, `has a malformed text: ${malformed}`)
      }
      // The meaning of a setting is described only in .env.example.
      if (!isWeb && !isSettingsFile(path))
        for (const each of [...thrownSentences(node), ...shownSentences(node)]) texts.add(each)
      if (isCommand) for (const each of foundSentences(node)) texts.add(each)
      if (isCommand || showsErrors.test(path)) for (const each of namedSentences(node)) texts.add(each)
      const shown = isWeb && path.endsWith('.tsx') ? shownText(node, parents) : undefined
      if (shown !== undefined) report(node, `shows “${shown}” in English only: use t() or rich()`)
    })
  }
  return { texts, problems }
}

/** Returns the text passed to `t` or `rich`; `computed` where it is not a literal. */
function calledText(node: Node): string | undefined {
  const callee = node.callee as Node | undefined
  if (node.type !== 'CallExpression' || callee?.type !== 'Identifier') return undefined
  if (callee.name !== 't' && callee.name !== 'rich') return undefined
  const [argument] = node.arguments as Node[]
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  const quasis = argument?.type === 'TemplateLiteral' ? (argument.quasis as { value: { cooked: string } }[]) : []
  return quasis.length === 1 ? quasis[0]?.value.cooked : 'computed'
}

/** AppError takes a code before the message; FolderProblem takes only the message. */
const errorClasses = new Set(['AppError', 'FolderProblem'])
/** Functions whose first argument is the message, or several messages, of an AppError. */
const errorFunctions = new Set(['invalidInput', 'conflict'])
/** Code whose messages users see in the browser: the rest of the engine shows its messages in logs and on the command line. */
const showsErrors = /^(?:server\/(?!.*settings)|engine\/jobs\/)/
/** Names of variables that are passed to an AppError further down. */
const errorNames = /^(?:message|sentence|\w+(?:Message|Help))$/

/** Returns the sentences of an AppError: its message, help and details. Values inserted by a template are named by position. */
function thrownSentences(node: Node): string[] {
  if (node.type === 'CallExpression' && errorFunctions.has(String((node.callee as Node).name)))
    return (node.arguments as Node[]).slice(0, 1).flatMap(sentencesOf)
  if (node.type !== 'NewExpression' || !errorClasses.has(String((node.callee as Node).name))) return []
  const [message, options] = (node.arguments as Node[]).slice((node.callee as Node).name === 'AppError' ? 1 : 0)
  const properties = options?.type === 'ObjectExpression' ? (options.properties as Node[]) : []
  const shown = properties
    .filter(({ key }) => ['help', 'details'].includes(String((key as Node | undefined)?.name)))
    .map(({ value }) => value as Node)
  return [message, ...shown].flatMap((each) => (each ? sentencesOf(each) : []))
}

/** Returns the sentences in a variable that is passed to an AppError further down. */
function namedSentences(node: Node): string[] {
  if (node.type !== 'VariableDeclarator' || !node.init || !errorNames.test(String((node.id as Node).name))) return []
  return sentencesOf(node.init as Node).filter((each) => sentence.test(each))
}

/** Returns the sentences of warnings and failures that are stored or sent, and shown later. */
function shownSentences({ type, key, value }: Node): string[] {
  const name = type === 'Property' ? (key as Node).name : undefined
  if (!['message', 'title', 'remedy', 'help'].includes(String(name))) return []
  return sentencesOf(value as Node).filter((each) => sentence.test(each))
}

/** Returns the sentences of a finding: `why` of its kind, and `what` in `finding(code, what)` or in a table's function `what`. */
function foundSentences(node: Node): string[] {
  const name = node.type === 'Property' ? String((node.key as Node).name) : ''
  if (name === 'why' || name === 'what') return sentencesOf(node.value as Node)
  if (node.type !== 'CallExpression' || !/^(?:finding|doctorFinding)$/.test(String((node.callee as Node).name)))
    return []
  return (node.arguments as Node[]).slice(1, 2).flatMap(sentencesOf)
}

function sentencesOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [toMessage([node.value])] : []
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => sentencesOf(each as Node))
  if (node.type === 'ArrowFunctionExpression') return sentencesOf(node.body as Node)
  if (node.type === 'ArrayExpression') return (node.elements as Node[]).flatMap(sentencesOf)
  if (node.type !== 'TemplateLiteral') return []
  const strings = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  // A template without any word would match every sentence.
  if (!strings.some((each) => /\p{L}{3}/u.test(each))) return []
  return [toMessage(strings)]
}

/** Returns a text with placeholders for the inserted parts; the name of the command line is one of them. */
function toMessage(strings: string[]): string {
  const parts = strings.flatMap((each) => each.split(commandLine)).map(quoteMessage)
  return parts.map((each, index) => (index === 0 ? each : `{${index}}${each}`)).join('')
}

/** Quotes characters that ICU MessageFormat would read as a value or a tag. */
function quoteMessage(text: string): string {
  return text.replaceAll(/[{}<]/g, "'$&'")
}

/** Returns the text between tags or in a shown attribute. */
function shownText(node: Node, parents: Node[]): string | undefined {
  const parent = parents.at(-1)
  const value = typeof node.value === 'string' ? node.value.trim().replaceAll(/\s+/g, ' ') : ''
  if (!/[A-Za-z]{2}/.test(value) || properNames.has(value) || technical.test(value)) return undefined
  if (node.type === 'JSXText') return parents.some(isVerbatim) ? undefined : value
  if (node.type !== 'Literal' || parent?.type !== 'JSXAttribute') return undefined
  return shownAttributes.has(attributeName(parent)) ? value : undefined
}

function isVerbatim(node: Node): boolean {
  const opening = node.openingElement as { name: { name?: string } } | undefined
  return opening !== undefined && verbatimElements.has(opening.name.name ?? '')
}

function attributeName({ name }: Node): string {
  return String((name as { name?: unknown }).name)
}

function visit(node: unknown, parents: Node[], each: (node: Node, parents: Node[]) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, parents, each)
  else if (isNode(node)) {
    each(node, parents)
    for (const part of Object.values(node)) if (typeof part === 'object') visit(part, [...parents, node], each)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** Compares the texts of a language, which are keyed by the English ones, with those of the interface. */
export function findCatalogProblems(language: string, catalog: Record<string, string>, texts: Set<string>): string[] {
  const missing = [...texts].filter((text) => !(text in catalog))
  const stale = Object.keys(catalog).filter((text) => !texts.has(text))
  const broken = Object.entries(catalog).flatMap(([english, text]) => {
    const problem = text.trim() === '' ? 'empty' : findProblem(english, text)
    return problem ? [`${language}: ${JSON.stringify(english)}: ${problem}`] : []
  })
  return [
    ...missing.map((text) => `${language}: lacks ${JSON.stringify(text)}`),
    ...stale.map((text) => `${language}: has ${JSON.stringify(text)}, which no screen shows`),
    ...broken,
  ]
}
