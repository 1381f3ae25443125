import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What a model cost on this machine when it was tried last; figures of one thread. */
const ModelMeasurement = z.object({
  /** What ran it, such as `sherpa-onnx 1.13.8`. */
  engine: z.string(),
  /** The processor by its name: figures of another one count for nothing. */
  processor: z.string(),
  measuredAt: z.iso.datetime(),
  /** Seconds from the start of the process until the model was ready. */
  loadS: z.number(),
  /** Where it ran: `CPU, one thread`. */
  device: z.string().default('CPU, one thread'),
  /** Seconds of work and of CPU time for a second of sound; null for a translation model. */
  realTimeFactor: z.number().nullable(),
  cpuSPerS: z.number().nullable(),
  /** Of answers; null for a speech model. */
  tokensPerS: z.number().nullable().default(null),
  peakMemoryBytes: z.number(),
})
export type ModelMeasurement = z.infer<typeof ModelMeasurement>

const Measurements = z.record(z.string(), ModelMeasurement)

/** Beside the models, so that they go where the models go. */
function measuredPath(modelsDir: string): string {
  return join(modelsDir, 'measured.json')
}

/** Measurements by the id of the model; none where the file is missing or not readable. */
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
  weights: string | null
}

/**
 * The ids of models that cost the least CPU time among those of the same weights that were measured on this processor, where there is
 * more than one to choose from.
 */
export function findCheapest(
  models: Comparable[],
  measurements: Record<string, ModelMeasurement>,
  processor: string,
): Set<string> {
  const cheapest = new Set<string>()
  for (const weights of new Set(models.map((model) => model.weights))) {
    const costs = models
      .filter((model) => weights !== null && model.weights === weights)
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
