import { describeLanguage } from '#contract/languages.ts'
import { translationPrompt } from '../prompt.ts'
import { examplesFor } from './examples.ts'
import type { ResolvedProfile } from './profile.ts'
import type { ChatMessage, GlossaryEntry, Prompt, TranslationRequest } from './request.ts'

/** Builds the prompt of one request in the form of the model's profile. */
export function buildPrompt(request: TranslationRequest, profile: ResolvedProfile): Prompt {
  switch (profile.form) {
    case 'chat':
      return { kind: 'chat', messages: chatMessages(request, profile) }
    case 'plain':
      return singleMessageChat(translationPrompt(request.text, request.pair))
    case 'completion':
      return { kind: 'completion', text: completionText(request, profile) }
    case 'translategemma':
      return singleMessageChat(translateGemmaText(request))
    case 'hy-mt':
      return singleMessageChat(hyMtText(request))
  }
}

function singleMessageChat(text: string): Prompt {
  return { kind: 'chat', messages: [{ role: 'user', text }] }
}

const defaultSystem =
  'You translate lines of conversations from {source} to {target}. Answer with the {target} translation of the line and nothing ' +
  'else: no notes, no explanation, no quotation marks. Keep names, numbers and addresses as they are.'

const numbered = ' Several lines come numbered: answer with as many lines, each with the number of its line.'

/** A retry adds examples, which illustrate the task, and leaves out the preceding lines, which may have caused the failure. */
function chatMessages(request: TranslationRequest, profile: ResolvedProfile): ChatMessage[] {
  const { text, pair, isNumbered = false, isRetry = false } = request
  const system =
    fillLanguageNames(profile.system ?? defaultSystem, request) + (isNumbered ? numbered : '') + formatGlossary(request)
  const shown = isNumbered || !(isRetry || profile.examples) ? [] : examplesFor(pair, profile)
  const examples = shown.flatMap(({ source, target }): ChatMessage[] => [
    { role: 'user', text: source },
    { role: 'assistant', text: target },
  ])
  return [{ role: 'system', text: system }, ...examples, { role: 'user', text: isRetry ? text : withContext(request) }]
}

/** Returns the line with its speaker and the preceding lines. */
function withContext({ text, context, isNumbered = false }: TranslationRequest): string {
  const before = context?.before ?? []
  const speaker = context?.speaker ? ` of ${context.speaker}` : ''
  if (before.length === 0) return text
  const said = before.map((line) => (line.speaker ? `${line.speaker}: ${line.text}` : line.text))
  const what = isNumbered ? 'these lines' : `this line${speaker}`
  return `Said before, for context only:\n${said.join('\n')}\n\nTranslate only ${what}:\n${text}`
}

function formatGlossary(request: TranslationRequest): string {
  const entries = findGlossaryTerms(request)
  if (entries.length === 0) return ''
  return `\nTerms and their translations:\n${entries.map(({ source, target }) => `${source} = ${target}`).join('\n')}`
}

/** Returns the glossary entries whose source term occurs in the text: a whole glossary could fill the context of a small model. */
function findGlossaryTerms({ text, glossary = [] }: TranslationRequest): GlossaryEntry[] {
  const folded = text.toLowerCase()
  return glossary.filter(({ source }) => folded.includes(source.toLowerCase()))
}

/** Returns few-shot examples followed by the text. A retry reverses the order of the examples. */
function completionText(request: TranslationRequest, profile: ResolvedProfile): string {
  const { text, pair, context, isRetry = false } = request
  const source = describeLanguage(pair.source).name
  const target = describeLanguage(pair.target).name
  const said = (context?.before ?? []).flatMap(({ text: before, translation }) =>
    translation === null ? [] : [{ source: before, target: translation }],
  )
  const examples = examplesFor(pair, profile)
  const entries = [...(isRetry ? examples.toReversed() : [...examples, ...said]), ...findGlossaryTerms(request)]
  const page = entries.map((entry) => `${source}: ${entry.source}\n${target}: ${entry.target}\n\n`).join('')
  const head = profile.system === undefined ? '' : `${fillLanguageNames(profile.system, request)}\n\n`
  return `${head}${page}${source}: ${text.replace(/\s+/gu, ' ')}\n${target}:`
}

/** Returns the exact prompt TranslateGemma was trained on: its own template takes language codes, which chat formats do not carry. */
function translateGemmaText({ text, pair }: TranslationRequest): string {
  const source = describeLanguage(pair.source).name
  const target = describeLanguage(pair.target).name
  return (
    `You are a professional ${source} (${pair.source}) to ${target} (${pair.target}) translator. Your goal is to accurately convey ` +
    `the meaning and nuances of the original ${source} text while adhering to ${target} grammar, vocabulary, and cultural ` +
    `sensitivities.\nProduce only the ${target} translation, without any additional explanations or commentary. Please translate ` +
    `the following ${source} text into ${target}:\n\n\n${text}`
  )
}

/** Returns the prompts published by Hunyuan-MT's authors; those with terms and with context exist only in Chinese. */
function hyMtText(request: TranslationRequest): string {
  const { text, pair, context, isRetry = false } = request
  const entries = findGlossaryTerms(request)
  const before = isRetry ? [] : (context?.before ?? [])
  const chinese = new Intl.DisplayNames(['zh'], { type: 'language' }).of(pair.target) ?? pair.target
  if (entries.length > 0) {
    const list = entries.map(({ source, target }) => `${source} 翻译成 ${target}`).join('\n')
    return `参考下面的翻译：\n${list}\n\n将以下文本翻译为${chinese}，注意只需要输出翻译后的结果，不要额外解释：\n${text}`
  }
  if (before.length > 0) {
    const said = before.map((line) => line.text).join('\n')
    return `${said}\n参考上面的信息，把下面的文本翻译成${chinese}，注意不需要翻译上文，也不要额外解释：\n${text}`
  }
  return `Translate the following segment into ${describeLanguage(pair.target).name}, without additional explanation.\n\n${text}`
}

function fillLanguageNames(text: string, { pair }: TranslationRequest): string {
  return text
    .replaceAll('{source}', describeLanguage(pair.source).name)
    .replaceAll('{target}', describeLanguage(pair.target).name)
}
