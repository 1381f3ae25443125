import type { TranslationResult } from '#contract/translation.ts'
import { assertTranslatable, findFinalModel } from './translation-router.ts'
import { resolveSource } from './language-pair.ts'
import { packSentences } from './split-text.ts'
import { translateByRoute } from './translate-by-route.ts'
import type { TranslateOptions } from './translate.ts'
import type { TranslatedItem } from './translation-item.ts'

/**
 * Long enough to give a model context, short enough for frequent progress and for a repetition loop to cost little. The demo models
 * translate single sentences best.
 */
const maxUnitCharacters = 400
const maxDemoUnitCharacters = 0

/**
 * Translates a text that is not a transcript. Line breaks are kept; a long line is translated in groups of sentences. A part that fails
 * appears in the text as `[Error: …]`, because the result has no other place for it. Rejects as translateSegments does.
 */
export async function translateText(options: TranslateOptions & { text: string }): Promise<TranslationResult> {
  const {
    text,
    sourceLanguage = 'auto',
    targetLanguage,
    translator,
    signal,
    onProgress,
    checkpoint,
    glossary,
  } = options
  const languages = { source: resolveSource(sourceLanguage, text), target: targetLanguage }
  assertTranslatable(translator, languages)
  const maxCharacters = findFinalModel(translator, languages)?.isDemo ? maxDemoUnitCharacters : maxUnitCharacters
  const lines = text
    .split(/\r\n|[\n\r]/u)
    .map((line) => (line.trim() === '' ? [] : packSentences(line.trim(), maxCharacters)))
  const units = lines.flat()
  const separators = separatorsOf(lines)
  const done: string[] = []
  let partialText = ''
  let via: string | null = null
  const by = await translateByRoute({
    items: units.map((unit) => ({ text: unit, languages })),
    glossary,
    translator,
    checkpoint,
    signal,
    onItem(result, index) {
      via ??= result.via ?? null
      done.push(shownText(result))
      partialText += `${separators[index]}${shownText(result)}`
      onProgress?.({
        current_segment: index + 1,
        total_segments: units.length,
        latest_segment: null,
        partial_text: partialText,
      })
    },
  })
  return {
    translated_text: joinLines(lines, done),
    original_text: text,
    source_language: languages.source,
    target_language: targetLanguage,
    num_speakers: 1,
    speaker_translations: [],
    segments: [],
    ...by,
    via,
  }
}

function shownText({ translatedText, error }: TranslatedItem): string {
  return error === null ? translatedText : `[Error: ${error}]`
}

/** Returns the separator before each unit: a space within a line, the original line breaks between lines. */
function separatorsOf(lines: string[][]): string[] {
  const separators: string[] = []
  let breaks = ''
  for (const [index, units] of lines.entries()) {
    if (index > 0) breaks += '\n'
    for (const at of units.keys()) separators.push(at === 0 ? breaks : ' ')
    if (units.length > 0) breaks = ''
  }
  return separators
}

/** Joins the translated units into their original lines. */
function joinLines(lines: string[][], done: string[]): string {
  let next = 0
  return lines
    .map((units) => {
      next += units.length
      return done.slice(next - units.length, next).join(' ')
    })
    .join('\n')
}
