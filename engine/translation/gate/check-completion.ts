import { describeLanguage } from '#contract/languages.ts'
import type { LanguagePair } from '../prompt.ts'
import { isFrequent } from './frequent-words.ts'
import { isEcho, type ShownLine } from './echo.ts'
import { isLoop } from './loop.ts'
import { findAssistantTalk } from './phrases.ts'
import type { Rejection, Verdict } from './verdict.ts'
import { isWrongLanguage } from './wrong-language.ts'
import { hasLetters, spokenForm, wordsOf, fold, withoutAddresses } from './words.ts'
import { isWrittenIn, scriptsOf } from './scripts.ts'

export interface CompletionCheckOptions {
  text: string
  pair: LanguagePair
  /** Other lines of the prompt. */
  shown?: ShownLine[]
  /** For the demo models, which were trained to copy unknown words: such a word is then its own translation. */
  copiesUnknownWords?: boolean
}

/** Patterns that never occur in speech: chat format tokens, code, tables, broken bytes. */
const patterns = [
  /<\|[^|>\n]{0,40}\|?>|<｜[^｜>\n]{0,40}｜>/u,
  /<\/?(?:s|unk|pad|eos|bos|mask|start_of_turn|end_of_turn|start_of_image|end_of_text|unused\d+|turn|2\p{L}{2,3}|br|p|b|i|u|em|strong|div|span|html|body|code|pre|ul|li|ol|table|tr|td|h\d|a|img|translation|target|source|text|answer|output|response|result|tool_call|english|pashto|urdu|persian|arabic)\b[^>\n]{0,80}\/?>/iu,
  /<0x[0-9a-f]{2}>/iu,
  /\[\/?(?:INST|SYS|UNK|PAD|CLS|SEP|MASK|BOS|EOS|TRANSLATION|END|TEXT|OUTPUT)\]|<<\/?SYS>>/iu,
  /\*\*[^*\n]+\*\*|__[^_\n]+__|(?:^|\s)\*[^*\n]+\*(?:\s|$)/u,
  /^\s{0,3}#{1,6}\s/mu,
  /```|~~~/u,
  /^\s*[{[]\s*"[^"\n]+"\s*[:,\]]/u,
  /"(?:translation|text|target|output|translated_text|result)"\s*:/iu,
  /^\s*\|.*\|\s*$|^(?=[^\n]*---)(?:[-:|]|[^\S\n])+$/mu,
  /\]\(https?:|!\[[^\]]*\]\(/u,
  /&(?:nbsp|lt|gt|amp|quot|#\d+|#x[0-9a-f]+);/iu,
  /\\u[0-9a-f]{4}|\\n|\\text\{|\\[a-z]+\{|\$\$/iu,
  /\uFFFD|▁|Ġ|Ċ/u,
  /^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/u,
  /^\s*>\s/mu,
  /\{\{|\}\}|\$\{|%s\b/u,
  /(?![\n\r\t])\p{Cc}/u,
  /[ÃÂØÙÚÛ][\u0080-\u00BF]{1}[ÃÂØÙÚÛ][\u0080-\u00BF]/u,
]

/** A name of up to two words may stay in its own script. */
const maxCopiedWords = 2
const maxCopiedShare = 0.4
const maxLatinShare = 0.5

const quotes: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
  ['‘', '’'],
  ['`', '`'],
  ['「', '」'],
]

/** Completed reasoning before the translation, enclosed in the tags that models use. */
const reasoning = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?<\/\1>\s*/iu

/** Returns the translation of `text` in a model's completion, or why the completion is rejected. */
export function checkCompletion(completion: string, options: CompletionCheckOptions): Verdict {
  const { text, pair } = options
  const cleaned = cleanCompletion(completion, text, pair)
  const rejection = findRejection(cleaned, options)
  if (rejection) return rejection
  return { translation: text.includes('\n') ? cleaned : joinLines(cleaned) }
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Checks the most specific reason first: a repetition loop in the wrong script counts as a loop. */
function findRejection(
  completion: string,
  { text, pair, shown, copiesUnknownWords = false }: CompletionCheckOptions,
): Rejection | undefined {
  if (!/[\p{L}\p{N}]/u.test(completion) && hasLetters(text)) return { reason: 'empty' }
  const phrase = findAssistantTalk(completion, text)
  if (phrase) return phrase
  if (hasForeignMarkup(completion, text)) return { reason: 'markup' }
  if (copiesUnknownWords && isCopyOfUnknown(completion, text, pair)) return undefined
  if (isEcho(completion, text, pair, shown)) return { reason: 'echo' }
  if (isLoop(completion, text)) return { reason: 'loop' }
  if (isWrongScript(completion, text, pair)) return { reason: 'wrong_script' }
  if (isWrongLanguage(completion, text, pair)) return { reason: 'wrong_language' }
  const length = compareLength(completion, text)
  return length && { reason: 'length', detail: `much ${length} than the original` }
}

function isCopyOfUnknown(completion: string, text: string, { source }: LanguagePair): boolean {
  return spokenForm(completion) === spokenForm(text) && !wordsOf(completion).some((word) => isFrequent(word, source))
}

/** Returns the length in letters of an alphabet; a Chinese, Japanese or Korean character counts as three. */
function effectiveLength(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return [...text.replace(/\s+/gu, ' ')].length + 2 * dense
}

/** A translation may be this many times as long as its text, plus this many characters. */
const maxLengthFactor = 3
const freeCharacters = 40
/** A shorter text may be translated by a single word. */
const shortText = 60
const minLengthFactor = 0.2

/** Returns whether a completion is far longer or far shorter than a translation can be; undefined if it is neither. */
function compareLength(completion: string, text: string): 'longer' | 'shorter' | undefined {
  const [said, original] = [effectiveLength(completion), effectiveLength(text)]
  if (said > freeCharacters + maxLengthFactor * original) return 'longer'
  return original >= shortText && said < minLengthFactor * original ? 'shorter' : undefined
}

/** Whether a completion contains markup that its text does not. */
function hasForeignMarkup(completion: string, text: string): boolean {
  return patterns.some((pattern) => pattern.test(completion) && !pattern.test(text))
}

/**
 * Whether a completion is written in a script other than that of its language. Names copied from the text are allowed, and so are Latin
 * words (brands, abbreviations) in every script; a word in a third script is not.
 */
function isWrongScript(completion: string, text: string, { source, target }: LanguagePair): boolean {
  const scripts = scriptsOf(target)
  const words = withoutAddresses(completion).match(/\p{L}[\p{L}\p{M}\p{N}\p{Join_Control}'’]*/gu) ?? []
  const foreign = words.filter((word) => !isWrittenIn(word, scripts) && !isSymbol(word))
  if (foreign.length === 0) return false
  const said = new Set(wordsOf(text))
  const isLatinAllowed = !scripts.includes('Latn')
  const isLatin = (word: string) => isLatinAllowed && isWrittenIn(word, ['Latn'])
  const isCopied = (word: string) => wordsOf(word).every((part) => said.has(part))
  const latin = foreign.filter((word) => isLatin(word))
  const others = foreign.filter((word) => !isLatin(word))
  const copied = others.filter(isCopied)
  if (others.length > copied.length) return true
  if (copied.some((word) => isFrequent(fold(word), source))) return true
  if (copied.length > maxCopiedWords) return true
  if (copied.length > 0 && words.length > maxCopiedWords && copied.length > maxCopiedShare * words.length) return true
  const newLatin = latin.filter((word) => !isCopied(word))
  const latinShare = latin.length / words.length
  if (latin.some((word) => isFrequent(fold(word), 'en')) && latinShare > maxLatinShare) return true
  return newLatin.length > 0 && latinShare > maxLatinShare
}

/** Abbreviations and units: GPS, OK, AK47, km. */
function isSymbol(word: string): boolean {
  return /^(?:[A-Z][A-Z0-9]{0,5}|[Oo]k|[kcm]?m|kg)$/u.test(word)
}

/**
 * Removes from a completion what is certainly not part of the translation: completed reasoning, a label such as "English:", the original
 * text in front of the translation, and quotation marks around it.
 */
function cleanCompletion(completion: string, text: string, pair: LanguagePair): string {
  const stripped = completion
    .replace(reasoning, '')
    .replace(/^\uFEFF/u, '')
    .trim()
  return stripQuotes(stripLabel(stripEcho(stripLabel(stripped, text, pair), text), text, pair), text)
}

function stripEcho(completion: string, text: string): string {
  const [first = '', ...rest] = completion.split('\n')
  const isRepeated = !text.includes('\n') && spokenForm(first) !== '' && spokenForm(first) === spokenForm(text)
  return isRepeated && rest.some((line) => line.trim() !== '') ? rest.join('\n').trim() : completion
}

/** Removes one label (the target language or the word "translation") unless the text itself begins with one. */
function stripLabel(completion: string, text: string, { target }: LanguagePair): string {
  const { name, nativeName } = describeLanguage(target)
  const label = new RegExp(
    `^(?:(?:translation|translated text|${name}|${nativeName})(?: translation| text)?|ترجمه|ترجمہ|الترجمة|ژباړه|Übersetzung|Traduction|Traducción)\\s*[:：]\\s*`,
    'iu',
  )
  return label.test(text) ? completion : completion.replace(label, '')
}

function stripQuotes(completion: string, text: string): string {
  const inner = text.trim()
  for (const [open, close] of quotes) {
    const isQuoted = completion.length > open.length && completion.startsWith(open) && completion.endsWith(close)
    if (isQuoted && !inner.startsWith(open) && !completion.slice(1, -1).includes(open))
      return completion.slice(1, -1).trim()
  }
  return completion
}
