import { setImmediate } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { skippedDetail, notTranslatedSentence } from '#contract/not-translated.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { createLineBatches } from './line-batches.ts'
import type { LineBatches } from './line-batches.ts'
import { hasLetters } from './detect-language.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Translator } from './llama.ts'
import { NotTranslatedError } from './not-translated-error.ts'
import { resolveProfile } from './profiles/profile.ts'
import type { GlossaryEntry, LineContext } from './profiles/request.ts'
import { translateUnit } from './translate-unit.ts'
import type { TranslatedItem, TranslationItem } from './translation-item.ts'
import type { TranslationMemory } from './translation-memory.ts'

export interface TranslateItemsOptions {
  items: TranslationItem[]
  translator: Translator
  memory: TranslationMemory
  glossary?: GlossaryEntry[]
  /** See TranslationRequest. */
  seedOffset?: number
  signal?: AbortSignal
  onItem?: (done: TranslatedItem, index: number) => void
}

export interface TranslatedItems {
  done: TranslatedItem[]
  /** Why the remaining items were skipped; null if none were. */
  endedEarly: string | null
}

/** Maximum time during which items that need no model may block the event loop. */
const maxBusyMs = 20

/** After this many consecutive crashes, the engine is at fault rather than the texts. */
const maxConsecutiveCrashes = 3

/** After this many consecutive rejected completions, the model is unsuitable for these languages. */
const maxConsecutiveRejections = 10

/**
 * Translates each text by itself, in order. A text that fails gets its error message, and the others continue. Rejects if all texts would
 * fail in the same way (an abort, a model that does not load or an engine that crashes repeatedly) and if every text failed. After ten
 * consecutive rejected completions, the remaining texts are skipped.
 */
export async function translateItems(options: TranslateItemsOptions): Promise<TranslatedItems> {
  const { items, translator, signal, onItem } = options
  const batches = createLineBatches(options)
  const done: TranslatedItem[] = []
  let crashes = 0
  let rejections = 0
  let endedEarly: string | null = null
  let yieldedAt = performance.now()
  for (const [index, item] of items.entries()) {
    // Items that need no model finish without yielding to the event loop, which leases and cancellation depend on.
    if (performance.now() - yieldedAt > maxBusyMs) {
      await setImmediate()
      yieldedAt = performance.now()
    }
    let result: TranslatedItem
    try {
      if (endedEarly !== null && needsModel(item))
        throw new NotTranslatedError({ reason: 'failed', detail: skippedDetail }, endedEarly)
      result = item.kept ?? { translatedText: await translateItem({ index, done, batches }, options), error: null }
      crashes = 0
      if (needsModel(item)) rejections = 0
    } catch (error) {
      crashes = error instanceof ChildDied ? crashes + 1 : 0
      if (error instanceof NotTranslatedError) rejections++
      if (signal?.aborted || isFatal(error) || crashes === maxConsecutiveCrashes) throw error
      result = toFailedItem(error)
    }
    done.push(result)
    onItem?.(result, index)
    if (rejections === maxConsecutiveRejections) endedEarly ??= abandonedMessage(translator)
  }
  assertAnyTranslated(done, endedEarly)
  return { done, endedEarly }
}

interface ItemProgress {
  index: number
  done: TranslatedItem[]
  batches: LineBatches
}

async function translateItem({ index, done, batches }: ItemProgress, options: TranslateItemsOptions): Promise<string> {
  const { items, translator, memory, glossary, seedOffset, signal } = options
  const item = items[index]
  if (signal?.aborted) throw cancellationError(signal)
  if (!item) throw new RangeError('No such item')
  const { text, languages } = item
  if ('error' in languages) throw languages.error
  const batch = batches.textsBatchedWith(index)
  const context = batch ? {} : contextOf(index, done, options)
  // The completion depends on the rest of the prompt as well as on the text.
  return memory.getOrTranslate(text, languages, [context, batch, glossary], async () =>
    translateUnit(translator, text, languages, {
      signal,
      context,
      glossary,
      seedOffset,
      batchCompletion: batch && (await batches.completionOf(index)),
    }),
  )
}

/** Returns the speaker and as many preceding lines as the model's profile takes. */
function contextOf(index: number, done: TranslatedItem[], { items, translator }: TranslateItemsOptions): LineContext {
  const { contextLines } = resolveProfile(translator.model)
  if (contextLines === 0) return {}
  const before = items
    .slice(Math.max(0, index - contextLines), index)
    .map(({ text, speaker = null }, at, { length }) => {
      const result = done[index - length + at]
      return { speaker, text, translation: result && result.error === null ? result.translatedText : null }
    })
  return { speaker: items[index]?.speaker ?? null, before }
}

function needsModel({ text, languages, kept }: TranslationItem): boolean {
  return !kept && !('error' in languages) && hasLetters(text) && !needsNoTranslation(languages)
}

function toFailedItem(error: unknown): TranslatedItem {
  const message = error instanceof AppError ? error.message : notTranslatedSentence({ reason: 'failed' })
  const failure = { translatedText: '', error: message }
  return error instanceof NotTranslatedError ? { ...failure, notTranslated: error.notTranslated } : failure
}

function abandonedMessage({ model }: Translator): string {
  return (
    `The model ${model.name} gave ten completions in a row that are not translations, so the rest was skipped. ` +
    'Ask an administrator for another translation model.'
  )
}

/** `unavailable`: for too long, no translation server could be used. */
const fatalCodes = new Set<ErrorCode>(['job_cancelled', 'model_unavailable', 'unavailable'])

/** Errors of neither the model nor the texts, such as a checkpoint that cannot be saved, end the job as well. */
function isFatal(error: unknown): boolean {
  if (error instanceof AppError) return fatalCodes.has(error.code)
  return !(error instanceof ChildMethodError)
}

function assertAnyTranslated(items: TranslatedItem[], endedEarly: string | null): void {
  if (items.length === 0 || items.some(({ error }) => error === null)) return
  if (endedEarly !== null) throw new AppError('internal', endedEarly)
  const reasons = new Set(items.flatMap(({ error }) => error ?? []))
  throw new AppError('internal', 'Failed to translate text. Please try again.', { details: [...reasons] })
}
