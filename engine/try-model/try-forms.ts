import { findSpeechModel } from '#engine/models/catalog.ts'
import { describeFormChoice, findBetterForm, listOtherForms } from '#engine/models/forms.ts'
import type { FormChoice } from '#engine/models/forms.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import type { TrialResult } from './trial.ts'
import { describeTrial, tryModel } from './try-model.ts'

type TriedModel = TrialResult & { model: ModelEntry }

/** The trial of a model, and of the other formats of its weights. */
interface FormTrials {
  chosen: TriedModel
  others: TriedModel[]
  /** The form that runs here in the model's place, where one takes less CPU time and finds the same words. */
  better: FormChoice | undefined
}

/**
 * Tries a model, and for speech every other installed form of its weights, so that the cheapest one is known and used.
 *
 * @throws AppError as `tryModel` does
 */
export async function tryForms(
  id: string,
  config: Parameters<typeof tryModel>[1],
  options: { signal?: AbortSignal } = {},
): Promise<FormTrials> {
  const chosen = await tryModel(id, config, options)
  if (chosen.model.kind !== 'speech' || chosen.model.isDemo) return { chosen, others: [], better: undefined }
  const { modelsDir } = config
  const model = await findSpeechModel(id, modelsDir)
  const others: TriedModel[] = []
  for (const form of await listOtherForms(model, modelsDir)) others.push(await tryModel(form.id, config, options))
  return { chosen, others, better: await findBetterForm(model, modelsDir) }
}

/** Returns what was measured, a line each, and which form runs here. */
export function describeForms({ chosen, others, better }: FormTrials): string[] {
  const lines = describeTrial(chosen)
  if (others.length === 0) return lines
  const forms = others.map(({ model, measurement: { cpuSPerS, peakMemoryBytes, words } }) => {
    const memory = `${(peakMemoryBytes / 1e6).toFixed(0)} MB`
    return `other form         ${model.id}: ${(cpuSPerS ?? 0).toFixed(3)} CPU s a second of sound, ${memory}, ${words ?? 0} words`
  })
  const used = better
    ? `${better.form.id}: ${describeFormChoice(better)}`
    : `${chosen.model.id}: no other form is cheaper`
  return [...lines, ...forms, `used here          ${used}`]
}
