import { AppError } from '#contract/app-error.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { describeFormChoice, findBetterForm, listOtherForms } from '#engine/models/forms.ts'
import type { FormChoice } from '#engine/models/forms.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import type { TrialResult } from './trial.ts'
import { describeTrial, tryModel, type TrialConfig } from './try-model.ts'

type TriedModel = TrialResult & { model: ModelEntry }

/** The trial of a model, and of the other formats of its weights. */
interface FormTrials {
  chosen: TriedModel
  others: TriedModel[]
  /** Why forms cannot be used, a line each. */
  problems: string[]
  /** The form that runs here in the model's place, where one takes less CPU time and finds the same words. */
  better: FormChoice | undefined
}

/**
 * Tries a model, and for speech every other installed form of its weights, so that the cheapest one is known and used.
 *
 * @throws AppError as `tryModel` does for the model itself
 */
export async function tryForms(
  id: string,
  config: TrialConfig,
  options: { signal?: AbortSignal } = {},
): Promise<FormTrials> {
  const chosen = await tryModel(id, config, options)
  if (chosen.model.kind !== 'speech' || chosen.model.isDemo)
    return { chosen, others: [], problems: [], better: undefined }
  const { modelsDir } = config
  const model = await findSpeechModel(id, modelsDir)
  const others: TriedModel[] = []
  const problems: string[] = []
  for (const form of await listOtherForms(model, modelsDir)) {
    try {
      others.push(await tryModel(form.id, config, options))
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'job_cancelled') throw error
      problems.push(`other form         ${form.id}: ${error.message}`)
    }
  }
  return { chosen, others, problems, better: await findBetterForm(model, modelsDir) }
}

/** Returns what was measured, a line each, and which form runs here. */
export function describeForms({ chosen, others, problems, better }: FormTrials): string[] {
  const lines = [...describeTrial(chosen), ...problems]
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
