import { AppError } from '#contract/app-error.ts'
import type { Provenance } from '#contract/provenance.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { ModelChanged } from '#engine/models/pin-model.ts'
import { hasRoutes } from './choose-translator.ts'
import type { RouteStep, Route, Translators } from './choose-translator.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Translator } from './llama.ts'
import { translateItems } from './translate-items.ts'
import type { TranslateItemsOptions } from './translate-items.ts'
import type { TranslatedItem, TranslationItem } from './translation-item.ts'
import { createMemory } from './translation-memory.ts'
import type { TranslationCheckpoint } from './translation-memory.ts'

export interface RoutedItem extends TranslatedItem {
  /** The language that the text went over; missing where one model did it at once. */
  via?: string
}

export interface RouteOptions extends Omit<TranslateItemsOptions, 'translator' | 'memory' | 'onItem'> {
  translator: Translator | Translators
  checkpoint?: TranslationCheckpoint
  /** Called in the order of the items, whichever was finished first. */
  onItem?: (done: RoutedItem, index: number) => void
}

/** What made the texts: the model that wrote most of them, and all that took part. */
export interface RoutedBy {
  model: string
  provenance: NonNullable<Provenance>
}

/**
 * Translates each item by the model of its languages, over English where no model knows both. All items of a model go before those of
 * the next, because memory holds one. Fails as translateItems does.
 */
export async function translateByRoute({
  translator: source,
  checkpoint,
  ...options
}: RouteOptions): Promise<RoutedBy> {
  if (hasRoutes(source)) return new RoutedWork(source, { checkpoint, ...options }).run()
  await translateItems({ ...options, translator: source, memory: await createMemory(source.model, checkpoint) })
  return { model: source.model.id, provenance: [source.provenance()] }
}

/** An item on one leg of its route. `text` is English on a second leg. */
interface Step {
  index: number
  text: string
  leg: RouteStep
  next: RouteStep | undefined
  via: string | null
}

class RoutedWork {
  readonly #translators: Translators
  readonly #options: Omit<RouteOptions, 'translator'>
  readonly #done: (RoutedItem | undefined)[]
  readonly #used = new Map<string, { provenance: NonNullable<Provenance>[number]; lines: number }>()
  #reported = 0
  /** Why a model failed all of its items; those of others may have done well. */
  #failure: unknown
  #loaded: string | undefined

  constructor(translators: Translators, options: Omit<RouteOptions, 'translator'>) {
    this.#translators = translators
    this.#options = options
    this.#done = options.items.map(({ kept, text, languages }) => {
      if (kept) return kept
      if ('error' in languages) return { translatedText: '', error: languages.error.message }
      return needsNoTranslation(languages) ? { translatedText: text, error: null } : undefined
    })
  }

  async run(): Promise<RoutedBy> {
    let steps = this.#done.flatMap((done, index) => (done ? [] : [this.#firstStep(index)]))
    while (steps.length > 0) steps = await this.#take(steps)
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

  /** Takes each of these steps, those of one model together, and returns the steps that follow. */
  async #take(steps: Step[]): Promise<Step[]> {
    const groups = [...Map.groupBy(steps, ({ leg }) => leg.model.id)]
    // The model in memory first, which saves loading it once more.
    const ordered = groups.toSorted(([a], [b]) => Number(b === this.#loaded) - Number(a === this.#loaded))
    const following: Step[] = []
    for (const [, group] of ordered) {
      const [first] = group
      if (first) following.push(...(await this.#takeWith(first.leg.model, group)))
    }
    return following.toSorted((a, b) => a.index - b.index)
  }

  async #takeWith(model: TranslationModel, steps: Step[]): Promise<Step[]> {
    const translator = await this.#translators.use(model)
    const before = this.#used.get(model.id)
    // A model that was put out of memory for another may come back with other weights.
    if (before && before.provenance.model_hash !== translator.provenance().model_hash) throw new ModelChanged(model)
    this.#loaded = model.id
    const following: Step[] = []
    let settled = 0
    const onItem = (result: TranslatedItem, at: number) => {
      const step = steps[at]
      if (!step) return
      settled += 1
      const { index, next, via } = step
      const isHalfWay = next && result.error === null
      if (isHalfWay) following.push({ index, text: result.translatedText, leg: next, next: undefined, via })
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

  /** Tells of all items that are done up to the first that is not. */
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
