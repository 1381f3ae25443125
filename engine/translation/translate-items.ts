import { setImmediate } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { cancelled } from '#engine/child/child-process.ts'
import type { Translator } from './llama.ts'
import type { LanguagePair } from './prompt.ts'
import { translateUnit } from './translate-unit.ts'
import type { TranslationMemory } from './translation-memory.ts'

/** A text and its languages, or why it cannot be translated. */
export interface TranslationItem {
  text: string
  languages: LanguagePair | { error: AppError }
}

/** `translatedText` is empty where `error` says why. */
export interface TranslatedItem {
  translatedText: string
  error: string | null
}

export interface TranslateItemsOptions {
  items: TranslationItem[]
  translator: Translator
  memory: TranslationMemory
  signal?: AbortSignal
  onItem?: (done: TranslatedItem, index: number) => void
}

/** Nothing else of the process waits longer than this for items that need no model. */
const mostBusyMs = 20

/** After so many items in a row that the engine died of, the fault is the engine's and not the texts'. */
const mostDeathsInARow = 3

/**
 * Translates each text by itself, in order. One that fails has its sentence and the others go on; only what would fail all of
 * them alike rejects: an abort, a model that does not load, an engine that dies again and again. So does a failure of every text.
 */
export async function translateItems(options: TranslateItemsOptions): Promise<TranslatedItem[]> {
  const { items, signal, onItem } = options
  const done: TranslatedItem[] = []
  let deaths = 0
  let yieldedAt = performance.now()
  for (const [index, item] of items.entries()) {
    // Items that need no model settle without a turn of the event loop: leases and cancelling must be heard among them.
    if (performance.now() - yieldedAt > mostBusyMs) {
      await setImmediate()
      yieldedAt = performance.now()
    }
    let result: TranslatedItem
    try {
      result = { translatedText: await translateItem(item, options), error: null }
      deaths = 0
    } catch (error) {
      deaths = error instanceof ChildDied ? deaths + 1 : 0
      if (signal?.aborted || isFatal(error) || deaths === mostDeathsInARow) throw error
      result = { translatedText: '', error: sentenceOf(error) }
    }
    done.push(result)
    onItem?.(result, index)
  }
  requireAny(done)
  return done
}

async function translateItem(
  { text, languages }: TranslationItem,
  { translator, memory, signal }: TranslateItemsOptions,
): Promise<string> {
  if (signal?.aborted) throw cancelled(signal)
  if ('error' in languages) throw languages.error
  return memory.recall(text, languages, () => translateUnit(translator, text, languages, signal))
}

/** What is neither the model's failure nor ours, such as a checkpoint that cannot be saved, ends the job as well. */
function isFatal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'job_cancelled' || error.code === 'model_unavailable'
  return !(error instanceof ChildMethodError)
}

function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The translation model failed on this text.'
}

function requireAny(items: TranslatedItem[]): void {
  if (items.length === 0 || items.some(({ error }) => error === null)) return
  const reasons = new Set(items.flatMap(({ error }) => error ?? []))
  throw new AppError('internal', 'Failed to translate text. Please try again.', { details: [...reasons] })
}
