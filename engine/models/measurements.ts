import { readFile, rename, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** The cost of a model on this machine in its last trial, on one thread. */
const ModelMeasurement = z.object({
  /** Such as `sherpa-onnx 1.13.8`. */
  engine: z.string(),
  /** Name of the processor; measurements of another one are ignored. */
  processor: z.string(),
  measuredAt: z.iso.datetime(),
  /** Seconds from the start of the process until the model was ready. */
  loadS: z.number(),
  /** Such as `CPU, one thread`. */
  device: z.string().default('CPU, one thread'),
  /** Seconds of work and of CPU time for a second of sound; null for a translation model. */
  realTimeFactor: z.number().nullable(),
  cpuSPerS: z.number().nullable(),
  /** Tokens of completions; null for a speech model. */
  tokensPerS: z.number().nullable().default(null),
  peakMemoryBytes: z.number(),
  /** Words that a speech model found in the sample; null for a translation model and for trials that did not count them. */
  words: z.number().nullable().default(null),
})
export type ModelMeasurement = z.infer<typeof ModelMeasurement>

const Measurements = z.record(z.string(), ModelMeasurement)

/** Returns the name of this machine's processor. */
export function findThisProcessor(): string {
  return cpus()[0]?.model ?? ''
}

/** In the models folder, so that measurements move with the models. */
export function measuredPath(modelsDir: string): string {
  return join(modelsDir, 'measured.json')
}

/** Returns measurements by model id; none where the file is missing or damaged. */
export async function readMeasurements(modelsDir: string): Promise<Record<string, ModelMeasurement>> {
  try {
    return Measurements.parse(JSON.parse(await readFile(measuredPath(modelsDir), 'utf8')))
  } catch {
    return {}
  }
}

export async function saveMeasurement(modelsDir: string, id: string, measurement: ModelMeasurement): Promise<void> {
  const all = { ...(await readMeasurements(modelsDir)), [id]: measurement }
  const path = measuredPath(modelsDir)
  await writeFile(`${path}.part`, `${JSON.stringify(all, null, 2)}\n`)
  await rename(`${path}.part`, path)
}

interface Comparable {
  id: string
  /** See `weightsOf`. */
  weights: string
}

/**
 * Returns the ids of the models with the least CPU time among those of the same weights measured on this processor, where there are
 * several.
 */
export function findCheapest(
  models: Comparable[],
  measurements: Record<string, ModelMeasurement>,
  processor: string,
): Set<string> {
  const cheapest = new Set<string>()
  for (const weights of new Set(models.map((model) => model.weights))) {
    const costs = models
      .filter((model) => model.weights === weights)
      .flatMap(({ id }) => {
        const measurement = measurements[id]
        if (measurement?.processor !== processor || measurement.cpuSPerS === null) return []
        return [{ id, cpuSPerS: measurement.cpuSPerS }]
      })
      .toSorted((a, b) => a.cpuSPerS - b.cpuSPerS)
    if (costs[0] && costs.length > 1) cheapest.add(costs[0].id)
  }
  return cheapest
}
