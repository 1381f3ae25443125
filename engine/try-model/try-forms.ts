import { AppError } from '#contract/app-error.ts'
import { findEntry, findSpeechModel } from '#engine/models/catalog.ts'
import { describeFormChoice, findBetterForm, listOtherForms } from '#engine/models/forms.ts'
import type { FormChoice } from '#engine/models/forms.ts'
import { isSherpaModel } from '#engine/models/model-entry.ts'
import type { ModelEntry, SpeechModel } from '#engine/models/model-entry.ts'
import { renewFastForm } from '#engine/models/store/add-fast-form.ts'
import type { StoreOptions } from '#engine/models/store/store-options.ts'
import type { TrialResult } from './trial.ts'
import { describeTrial, tryModel, type TrialConfig } from './try-model.ts'

type TriedModel = TrialResult & { model: ModelEntry }

/** The trials of a model and of the other forms of its weights. */
interface FormTrials {
  chosen: TriedModel
  others: TriedModel[]
  /** Which forms were rewritten, and why forms cannot be used, one line each. */
  remarks: string[]
  /** The form that runs here in the model's place, if one takes less CPU time and finds the same words. */
  better: FormChoice | undefined
}

/**
 * Tries a model, and for speech every other installed form of its weights, so that the cheapest form is known and used. A form that an
 * earlier version of Awaz wrote is rewritten first.
 *
 * @throws AppError as `tryModel` does for the model itself
 */
export async function tryForms(id: string, config: TrialConfig, options: StoreOptions = {}): Promise<FormTrials> {
  const { kind, isDemo } = await findEntry(id, config.modelsDir)
  if (kind !== 'speech' || isDemo)
    return { chosen: await tryModel(id, config, options), others: [], remarks: [], better: undefined }
  const { modelsDir } = config
  const model = await findSpeechModel(id, modelsDir)
  const remarks = await renewForms(model, modelsDir, options)
  const chosen = await tryModel(id, config, options)
  const others: TriedModel[] = []
  for (const form of await listOtherForms(model, modelsDir)) {
    try {
      others.push(await tryModel(form.id, config, options))
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'job_cancelled') throw error
      remarks.push(`other form         ${form.id}: ${error.message}`)
    }
  }
  return { chosen, others, remarks, better: await findBetterForm(model, modelsDir) }
}

/** Rewrites forms that an earlier version wrote. Returns a line for each: a form that could not be rewritten stays usable. */
async function renewForms(model: SpeechModel, modelsDir: string, options: StoreOptions): Promise<string[]> {
  const lines: string[] = []
  for (const form of [model, ...(await listOtherForms(model, modelsDir))]) {
    if (isSherpaModel(form)) continue
    try {
      const isRenewed = await renewFastForm(form, form.path, { modelsDir, ...options })
      if (isRenewed)
        lines.push(`written again      the form for onnxruntime of ${form.id}: this version writes a faster one`)
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'job_cancelled') throw error
      lines.push(`not written again  the form for onnxruntime of ${form.id}: ${error.message}`)
    }
  }
  return lines
}

/** Returns the measurements, one line each, and which form runs here. */
export function describeForms({ chosen, others, remarks, better }: FormTrials): string[] {
  const lines = [...describeTrial(chosen), ...remarks]
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
