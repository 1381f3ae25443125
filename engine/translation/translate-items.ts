import { setImmediate } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { leftOut, notTranslatedSentence } from '#contract/not-translated.ts'
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
  draw?: number
  signal?: AbortSignal
  onItem?: (done: TranslatedItem, index: number) => void
}

export interface TranslatedItems {
  done: TranslatedItem[]
  /** Why the rest was left out; null where all was tried. */
  endedEarly: string | null
}

/** Nothing else of the process waits longer than this for items that need no model. */
const maxBusyMs = 20

/** After so many items in a row that the engine died of, the fault is the engine's and not the texts'. */
const maxConsecutiveCrashes = 3

/** After so many answers in a row that are no translations, the model is not fit for these languages. */
const maxConsecutiveRejections = 10

/**
 * Translates each text by itself, in order. One that fails has its sentence and the others go on; only what would fail all of
 * them alike rejects: an abort, a model that does not load, an engine that dies again and again. So does a failure of every text.
 * A model whose answers are no translations ten times in a row is not asked again: what was done stays, the rest is left out.
 */
export async function translateItems(options: TranslateItemsOptions): Promise<TranslatedItems> {
  const { items, translator, signal, onItem } = options
  const batches = createLineBatches(options)
  const done: TranslatedItem[] = []
  let deaths = 0
  let refused = 0
  let endedEarly: string | null = null
  let yieldedAt = performance.now()
  for (const [index, item] of items.entries()) {
    // Items that need no model settle without a turn of the event loop: leases and cancelling must be heard among them.
    if (performance.now() - yieldedAt > maxBusyMs) {
      await setImmediate()
      yieldedAt = performance.now()
    }
    let result: TranslatedItem
    try {
      if (endedEarly !== null && needsModel(item))
        throw new NotTranslatedError({ reason: 'failed', detail: leftOut }, endedEarly)
      result = item.kept ?? { translatedText: await translateItem({ index, done, batches }, options), error: null }
      deaths = 0
      if (needsModel(item)) refused = 0
    } catch (error) {
      deaths = error instanceof ChildDied ? deaths + 1 : 0
      if (error instanceof NotTranslatedError) refused++
      if (signal?.aborted || isFatal(error) || deaths === maxConsecutiveCrashes) throw error
      result = toFailedItem(error)
    }
    done.push(result)
    onItem?.(result, index)
    if (refused === maxConsecutiveRejections) endedEarly ??= abandonedMessage(translator)
  }
  assertAnyTranslated(done, endedEarly)
  return { done, endedEarly }
}

interface Turn {
  index: number
  done: TranslatedItem[]
  batches: LineBatches
}

async function translateItem({ index, done, batches }: Turn, options: TranslateItemsOptions): Promise<string> {
  const { items, translator, memory, glossary, draw, signal } = options
  const item = items[index]
  if (signal?.aborted) throw cancellationError(signal)
  if (!item) throw new RangeError('No such item')
  const { text, languages } = item
  if ('error' in languages) throw languages.error
  const together = batches.textsBatchedWith(index)
  const context = together ? {} : contextOf(index, done, options)
  // What else the model is shown decides the answer as much as the text.
  return memory.recall(text, languages, [context, together, glossary], async () =>
    translateUnit(translator, text, languages, {
      signal,
      context,
      glossary,
      draw,
      batchCompletion: together && (await batches.answer(index)),
    }),
  )
}

/** The speaker and a few lines before, as far as the model's profile wants them. */
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
    `The model ${model.name} gave ten answers in a row that are no translations, so the rest was left out. ` +
    'Choose another translation model.'
  )
}

/** `unavailable`: no translation server could be used for long. */
const fatalCodes = new Set<ErrorCode>(['job_cancelled', 'model_unavailable', 'unavailable'])

/** What is neither the model's failure nor ours, such as a checkpoint that cannot be saved, ends the job as well. */
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
