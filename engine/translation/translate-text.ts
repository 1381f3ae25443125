import type { TranslationResult } from '#contract/translation.ts'
import { requirePair, resolveSource } from './language-pair.ts'
import { packSentences } from './split-text.ts'
import { translateItems } from './translate-items.ts'
import type { TranslatedItem } from './translate-items.ts'
import type { TranslateOptions } from './translate.ts'
import { createMemory } from './translation-memory.ts'

/**
 * Long enough to give a model context, short enough that progress moves and an answer that loops costs little. The demo models know
 * single sentences best.
 */
const mostUnitCharacters = 400
const mostDemoUnitCharacters = 0

/**
 * Translates a text that is no transcript. Lines stay lines; a long line goes in groups of sentences. A part that fails stands in
 * the text as `[Error: …]`, because nothing else of the result could say so. Rejects as translateSegments does.
 */
export async function translateText(options: TranslateOptions & { text: string }): Promise<TranslationResult> {
  const { text, sourceLanguage = 'auto', targetLanguage, translator, signal, onProgress, checkpoint } = options
  const languages = { source: resolveSource(sourceLanguage, text), target: targetLanguage }
  requirePair(translator.model, languages)
  const mostCharacters = translator.model.isDemo ? mostDemoUnitCharacters : mostUnitCharacters
  const lines = text
    .split(/\r\n|[\n\r]/u)
    .map((line) => (line.trim() === '' ? [] : packSentences(line.trim(), mostCharacters)))
  const units = lines.flat()
  const done: string[] = []
  await translateItems({
    items: units.map((unit) => ({ text: unit, languages })),
    translator,
    memory: await createMemory(translator.model, checkpoint),
    signal,
    onItem(result, index) {
      done.push(shownText(result))
      onProgress?.({
        current_segment: index + 1,
        total_segments: units.length,
        latest_segment: null,
        partial_text: layOut(lines, done),
      })
    },
  })
  return {
    translated_text: layOut(lines, done),
    original_text: text,
    source_language: languages.source,
    target_language: targetLanguage,
    num_speakers: 1,
    speaker_translations: [],
    segments: [],
    model: translator.model.id,
  }
}

function shownText({ translatedText, error }: TranslatedItem): string {
  return error === null ? translatedText : `[Error: ${error}]`
}

/** The translated units back in the lines they came from, as far as they go. */
function layOut(lines: string[][], done: string[]): string {
  const shown: string[] = []
  let next = 0
  for (const units of lines) {
    if (next >= done.length && units.length > 0) break
    shown.push(done.slice(next, next + units.length).join(' '))
    next += units.length
  }
  return shown.join('\n')
}
