import { listInstalledSpeechModels } from './installed-speech-models.ts'
import { isCurrent, readMeasurements } from './measurements.ts'
import type { ModelMeasurement } from './measurements.ts'
import type { SpeechModel, SpeechModelEntry } from './model-entry.ts'
import { speechEngineOf } from './speech-engines.ts'

/** The share of the words found by the chosen form in the sample that another form must find. */
const minWordShare = 0.9

/** Returns the name of a model's weights, which all forms of the same weights share. */
export function weightsOf({ id, weights }: Pick<SpeechModelEntry, 'id' | 'weights'>): string {
  return weights ?? id
}

/** Another form that runs in a model's place. */
export interface FormChoice {
  form: SpeechModel
  /** CPU seconds per second of sound on this processor. */
  cpuSPerS: number
  /** The same for the model itself. */
  chosenCpuSPerS: number
}

/** Returns the form of a model's weights that runs here: the one with the least CPU time in `models verify`, or else the model itself. */
export async function findRunningForm(model: SpeechModel, modelsDir: string): Promise<SpeechModel> {
  return (await findBetterForm(model, modelsDir))?.form ?? model
}

/**
 * Returns the installed form of the same weights with the least CPU time, if that is not the model itself. Compares only current
 * measurements (`isCurrent`): a new machine, or another version of an engine, uses the chosen model until `models verify` has run.
 */
export async function findBetterForm(model: SpeechModel, modelsDir: string): Promise<FormChoice | undefined> {
  const measurements = await readMeasurements(modelsDir)
  const own = await findCost(model, measurements)
  if (!own) return undefined
  const better: FormChoice[] = []
  for (const form of await listOtherForms(model, modelsDir)) {
    const cost = await findCost(form, measurements)
    const isGood = cost && cost.cpuSPerS < own.cpuSPerS && cost.words >= own.words * minWordShare
    if (isGood) better.push({ form, cpuSPerS: cost.cpuSPerS, chosenCpuSPerS: own.cpuSPerS })
  }
  return better.toSorted((a, b) => a.cpuSPerS - b.cpuSPerS)[0]
}

/** Returns the other installed forms of a model's weights that support all of its languages. */
export async function listOtherForms(model: SpeechModel, modelsDir: string): Promise<SpeechModel[]> {
  const forms = await listSameWeights(model, modelsDir)
  return forms.filter(({ languages }) => model.languages.every((code) => languages.includes(code)))
}

async function listSameWeights(model: SpeechModel, modelsDir: string): Promise<SpeechModel[]> {
  const installed = await listInstalledSpeechModels(modelsDir)
  return installed.filter((form) => form.id !== model.id && weightsOf(form) === weightsOf(model))
}

/** Returns whether a model has a current measurement. */
export async function hasCost(model: SpeechModel, modelsDir: string): Promise<boolean> {
  return (await findCost(model, await readMeasurements(modelsDir))) !== undefined
}

async function findCost(
  model: SpeechModel,
  measurements: Record<string, ModelMeasurement>,
): Promise<{ cpuSPerS: number; words: number } | undefined> {
  const measurement = measurements[model.id]
  if (!measurement || !(await isCurrent(measurement, model, { engine: speechEngineOf(model) }))) return undefined
  const { cpuSPerS, words } = measurement
  return cpuSPerS === null || words === null ? undefined : { cpuSPerS, words }
}

/** Returns why a form runs in the place of another. */
export function describeFormChoice({ cpuSPerS, chosenCpuSPerS }: FormChoice): string {
  return `${cpuSPerS.toFixed(3)} instead of ${chosenCpuSPerS.toFixed(3)} CPU s a second of sound on this processor`
}

/**
 * Describes which form runs in a model's place, or in which model's place it runs, and why, or that its forms must be verified; null if it
 * runs as chosen.
 */
export async function describeForm(model: SpeechModel, modelsDir: string): Promise<string | null> {
  const better = await findBetterForm(model, modelsDir)
  if (better) return `Where it is chosen, ${better.form.name} runs: ${describeFormChoice(better)}.`
  const others = await listSameWeights(model, modelsDir)
  for (const other of others) {
    const choice = await findBetterForm(other, modelsDir)
    if (choice?.form.id === model.id) return `It runs where ${other.name} is chosen: ${describeFormChoice(choice)}.`
  }
  const measured = await Promise.all([model, ...others].map((form) => hasCost(form, modelsDir)))
  if (others.length === 0 || measured.every(Boolean)) return null
  return 'Verify it: which form of its weights takes the least CPU time here is not known.'
}
