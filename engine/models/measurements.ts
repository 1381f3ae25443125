import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { ModelEntry } from './model-entry.ts'
import { listModelFiles } from './model-files.ts'

/** The device of a trial without a GPU. */
export const cpuDevice = 'CPU, one thread'

/** The cost of a model on this machine in its last trial, on one thread. */
const ModelMeasurement = z.object({
  /** Such as `sherpa-onnx 1.13.8`. */
  engine: z.string(),
  /** Name of the processor; measurements from another processor are ignored. */
  processor: z.string(),
  measuredAt: z.iso.datetime(),
  /** Seconds from the start of the process until the model was ready. */
  loadS: z.number(),
  /** Such as `CPU, one thread`. */
  device: z.string().default(cpuDevice),
  /** Seconds of work and of CPU time per second of sound; null for a translation model. */
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

/** Returns a path in the models folder, so that measurements move with the models. */
export function measuredPath(modelsDir: string): string {
  return join(modelsDir, 'measured.json')
}

/** Returns measurements by model id; empty if the file is missing or damaged. */
export async function readMeasurements(modelsDir: string): Promise<Record<string, ModelMeasurement>> {
  try {
    return Measurements.parse(JSON.parse(await readFile(measuredPath(modelsDir), 'utf8')))
  } catch {
    return {}
  }
}

export async function saveMeasurement(modelsDir: string, id: string, measurement: ModelMeasurement): Promise<void> {
  await writeMeasurements(modelsDir, { ...(await readMeasurements(modelsDir)), [id]: measurement })
}

/** Deletes the measurement of a model, because other weights may get its id. */
export async function removeMeasurement(modelsDir: string, id: string): Promise<void> {
  const { [id]: removed, ...others } = await readMeasurements(modelsDir)
  if (removed) await writeMeasurements(modelsDir, others)
}

async function writeMeasurements(modelsDir: string, measurements: Record<string, ModelMeasurement>): Promise<void> {
  const path = measuredPath(modelsDir)
  await writeFile(`${path}.part`, `${JSON.stringify(measurements, null, 2)}\n`)
  await rename(`${path}.part`, path)
}

/** Returns whether a model was measured on this processor and device, by this version of its engine, since its files were written. */
export async function isCurrent(
  measurement: ModelMeasurement,
  model: ModelEntry & { path: string },
  { engine, device = cpuDevice }: { engine: string; device?: string },
): Promise<boolean> {
  if (measurement.processor !== findThisProcessor() || measurement.device !== device) return false
  if (measurement.engine !== engine) return false
  try {
    const files = await listModelFiles(model)
    const changes = await Promise.all(files.map(async ({ path }) => (await stat(path)).ctimeMs))
    return changes.every((changedMs) => changedMs < Date.parse(measurement.measuredAt))
  } catch {
    // The files are missing, or there are none for this processor.
    return false
  }
}
