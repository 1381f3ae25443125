import { AppError } from '#contract/app-error.ts'
import type { Provenance } from '#contract/provenance.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { ModelChangedError } from '#engine/models/pin-model.ts'
import { isTranslationRouter } from './translation-router.ts'
import type { RouteLeg, Route, TranslationRouter } from './translation-router.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Translator } from './llama.ts'
import { translateItems } from './translate-items.ts'
import type { TranslateItemsOptions } from './translate-items.ts'
import type { TranslatedItem, TranslationItem } from './translation-item.ts'
import { createMemory } from './translation-memory.ts'
import type { TranslationCheckpoint } from './translation-memory.ts'

export interface RoutedTranslation extends TranslatedItem {
  /** The pivot language; absent if one model translated directly. */
  via?: string
}

export interface RouteOptions extends Omit<TranslateItemsOptions, 'translator' | 'memory' | 'onItem'> {
  translator: Translator | TranslationRouter
  checkpoint?: TranslationCheckpoint
  /** Called in the order of the items, regardless of which finished first. */
  onItem?: (done: RoutedTranslation, index: number) => void
}

/** The models that translated: the one that translated most texts, and all that took part. */
export interface TranslationOrigin {
  model: string
  provenance: NonNullable<Provenance>
}

/**
 * Translates each item with the model for its languages, with English as the pivot if no model supports both. All items of one model are
 * translated before those of the next, because only one model is loaded at a time. Rejects as translateItems does.
 */
export async function translateByRoute({
  translator: source,
  checkpoint,
  ...options
}: RouteOptions): Promise<TranslationOrigin> {
  if (isTranslationRouter(source)) return new RoutedTranslationRun(source, { checkpoint, ...options }).run()
  await translateItems({ ...options, translator: source, memory: await createMemory(source.model, checkpoint) })
  return { model: source.model.id, provenance: [source.provenance()] }
}

/** An item on one leg of its route. `text` is English on a second leg. */
interface Step {
  index: number
  text: string
  leg: RouteLeg
  next: RouteLeg | undefined
  via: string | null
}

class RoutedTranslationRun {
  readonly #translators: TranslationRouter
  readonly #options: Omit<RouteOptions, 'translator'>
  readonly #done: (RoutedTranslation | undefined)[]
  readonly #used = new Map<string, { provenance: NonNullable<Provenance>[number]; lines: number }>()
  #reported = 0
  /** The error of a model that failed all of its items; other models may have succeeded. */
  #failure: unknown
  #loaded: string | undefined

  constructor(translators: TranslationRouter, options: Omit<RouteOptions, 'translator'>) {
    this.#translators = translators
    this.#options = options
    this.#done = options.items.map(({ kept, text, languages }) => {
      if (kept) return kept
      if ('error' in languages) return { translatedText: '', error: languages.error.message }
      return needsNoTranslation(languages) ? { translatedText: text, error: null } : undefined
    })
  }

  async run(): Promise<TranslationOrigin> {
    let steps = this.#done.flatMap((done, index) => (done ? [] : [this.#firstStep(index)]))
    while (steps.length > 0) steps = await this.#translateSteps(steps)
    this.#report()
    if (this.#done.length > 0 && this.#done.every((done) => done?.error !== null)) {
      throw this.#failure ?? new AppError('internal', 'Failed to translate text. Please try again.')
    }
    const used = [...this.#used].toSorted(([, a], [, b]) => b.lines - a.lines)
    return {
      model: used[0]?.[0] ?? this.#translators.mainModel?.id ?? '',
      provenance: used.map(([, { provenance }]) => provenance),
    }
  }

  #firstStep(index: number): Step {
    const item = this.#item(index)
    if ('error' in item.languages) throw item.languages.error
    const { legs, via }: Route = this.#translators.route(item.languages)
    return { index, text: item.text, leg: legs[0], next: legs[1], via }
  }

  /** Translates these steps, grouped by model, and returns the next legs. */
  async #translateSteps(steps: Step[]): Promise<Step[]> {
    const groups = [...Map.groupBy(steps, ({ leg }) => leg.model.id)]
    // The loaded model first, which saves loading it again.
    const ordered = groups.toSorted(([a], [b]) => Number(b === this.#loaded) - Number(a === this.#loaded))
    const following: Step[] = []
    for (const [, group] of ordered) {
      const [first] = group
      if (first) following.push(...(await this.#translateWith(first.leg.model, group)))
    }
    return following.toSorted((a, b) => a.index - b.index)
  }

  async #translateWith(model: TranslationModel, steps: Step[]): Promise<Step[]> {
    const translator = await this.#translators.use(model)
    const before = this.#used.get(model.id)
    // A model that was unloaded in favor of another may have different weights when it is loaded again.
    if (before && before.provenance.model_hash !== translator.provenance().model_hash)
      throw new ModelChangedError(model)
    this.#loaded = model.id
    const following: Step[] = []
    let settled = 0
    const onItem = (result: TranslatedItem, at: number) => {
      const step = steps[at]
      if (!step) return
      settled += 1
      const { index, next, via } = step
      const hasNextLeg = next && result.error === null
      if (hasNextLeg) following.push({ index, text: result.translatedText, leg: next, next: undefined, via })
      else this.#done[index] = { ...result, ...(via !== null && { via }) }
      this.#report()
    }
    const items = steps.map(({ index, text, leg }): TranslationItem => ({
      ...this.#item(index),
      text,
      languages: leg.pair,
    }))
    try {
      const memory = await createMemory(translator.model, this.#options.checkpoint)
      await translateItems({ ...this.#options, items, translator, memory, onItem })
    } catch (error) {
      if (settled < steps.length || !(error instanceof AppError)) throw error
      this.#failure ??= error
    }
    const lines = (before?.lines ?? 0) + steps.filter(({ next }) => !next).length
    this.#used.set(model.id, { provenance: translator.provenance(), lines })
    return following
  }

  /** Reports all finished items before the first unfinished one. */
  #report(): void {
    for (;;) {
      const done = this.#done[this.#reported]
      if (!done) return
      this.#options.onItem?.(done, this.#reported)
      this.#reported += 1
    }
  }

  #item(index: number): TranslationItem {
    const item = this.#options.items[index]
    if (!item) throw new RangeError(`There is no item ${index}`)
    return item
  }
}
