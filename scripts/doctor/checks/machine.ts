import { AppError } from '#contract/app-error.ts'
import { t } from '#contract/texts/t.ts'
import type { Config } from '#data/config.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import { readMeasurements } from '#engine/models/measurements.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import { findHostSize } from '#engine/models/work-estimate.ts'
import { amountTexts } from '#server/features/system/state/amount-texts.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'machine.small': {
    severity: 'warning',
    title: 'There are more engines than processors, or their models may need more memory than this machine has',
    why: 'Engines take turns then, and where memory runs out the kernel ends one, and its job begins again.',
    remedy: 'Lower ENGINE_PROCESSES, choose a smaller model, or add memory (docs/sizing.md).',
  },
  'machine.size': {
    severity: 'note',
    title: 'How large this machine is',
    why: 'Sound that comes faster than it is transcribed waits.',
    remedy: 'docs/sizing.md says what carries how many people and how much sound.',
  },
} as const

const finding = findingsOf(findings)
const gibibyte = 1024 ** 3
/** Memory that everything but the models takes when idle: docs/sizing.md. */
const restBytes = 465 * 1024 ** 2

/** Checks the size of the machine, and whether it is large enough for its engines. */
export const machineCheck: Check = { name: 'processors and memory', findings, run }

async function run({ config }: HostContext): Promise<Finding[]> {
  const { processors, memoryBytes } = findHostSize()
  const { engineProcesses: engines } = config
  const modelBytes = await sumModelMemory(config)
  const isShort = restBytes + engines * modelBytes > memoryBytes
  const code = isShort || engines > processors ? 'machine.small' : 'machine.size'
  const [models, memory] = [inGigabytes(modelBytes), inGigabytes(memoryBytes)]
  return [
    finding(
      code,
      t('Processors: {1, number}. Memory: {2}. Engines: {3, number}, with models of {4} each.', {
        1: processors,
        2: memory,
        3: engines,
        4: models,
      }),
    ),
  ]
}

/** Returns the memory of the largest speech model and the largest translation model together: an engine may hold both. */
async function sumModelMemory(config: Config): Promise<number> {
  try {
    const { speech, speechByLanguage, translation, translationByPair } = await chooseModels(config)
    const measurements = await readMeasurements(config.modelsDir)
    const largest = (models: Pick<ModelEntry, 'id' | 'memoryBytes' | 'sizeBytes'>[]) =>
      Math.max(
        ...models.map((model) => measurements[model.id]?.peakMemoryBytes ?? model.memoryBytes ?? model.sizeBytes ?? 0),
      )
    return (
      largest([speech, ...Object.values(speechByLanguage)]) +
      largest([translation, ...Object.values(translationByPair)])
    )
  } catch (error) {
    // The check of models reports a model that cannot be used.
    if (error instanceof AppError) return 0
    throw error
  }
}

function inGigabytes(bytes: number): string {
  return amountTexts.gigabytes(bytes / gibibyte)
}
