import { AppError } from '#contract/app-error.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { translateText } from '#engine/translation/translate-text.ts'
import type { TranslationItemResult } from './metrics.ts'
import { watchPeakMemory } from './process-tree.ts'
import { productLanguage } from './sample-language.ts'
import type { TextPair } from './sample.ts'

export interface EvaluateTranslationOptions {
  /** Closed by the caller. */
  translator: Translator
  items: readonly TextPair[]
  signal?: AbortSignal
  onResult?: (result: TranslationItemResult, done: number) => void
}

export interface TranslationEvaluation {
  results: TranslationItemResult[]
  peakMemoryBytes: number
}

/**
 * Translates each text by itself, as the product does. The model is loaded before timing starts. A text on which the model fails counts
 * as an empty translation.
 *
 * @throws AppError `unsupported_pair`, `model_unavailable`, `job_cancelled`
 */
export async function evaluateTranslation(options: EvaluateTranslationOptions): Promise<TranslationEvaluation> {
  const { translator, items, signal, onResult } = options
  const [first] = items
  if (!first) return { results: [], peakMemoryBytes: 0 }
  const memory = watchPeakMemory()
  const results: TranslationItemResult[] = []
  let peakMemoryBytes = 0
  try {
    // Loads the model.
    await translate(first, translator, signal)
    for (const item of items) {
      const result = await translate(item, translator, signal)
      results.push(result)
      onResult?.(result, results.length)
    }
  } finally {
    peakMemoryBytes = memory.stop()
  }
  return { results, peakMemoryBytes }
}

async function translate(item: TextPair, translator: Translator, signal?: AbortSignal): Promise<TranslationItemResult> {
  const counting = countTokens(translator)
  const startedAt = performance.now()
  let text = ''
  let hasFailed = false
  try {
    const result = await translateText({
      text: item.text,
      sourceLanguage: productLanguage(item.source),
      targetLanguage: productLanguage(item.target),
      translator: counting.translator,
      signal,
    })
    text = result.translated_text
  } catch (error) {
    if (signal?.aborted) throw cancellationError(signal)
    if (!(error instanceof AppError) || error.code !== 'internal') throw error
    hasFailed = true
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  return { item, text, hasFailed, elapsedSeconds, tokens: counting.tokens() }
}

/** Counts tokens; undefined if a completion came without a count. */
function countTokens(translator: Translator): { translator: Translator; tokens: () => number | undefined } {
  let tokens: number | undefined = 0
  return {
    translator: {
      ...translator,
      async complete(...args) {
        const completion = await translator.complete(...args)
        const own = completion.kind === 'completion' ? completion.tokens?.completion : 0
        tokens = tokens === undefined || own === undefined ? undefined : tokens + own
        return completion
      },
    },
    tokens: () => tokens,
  }
}
