import { availableParallelism, totalmem } from 'node:os'
import type { ModelWork } from '#contract/entities/model.ts'
import { modelPath } from './catalog.ts'
import { weightsOf } from './forms.ts'
import { findThisProcessor, type ModelMeasurement } from './measurements.ts'
import type { ModelEntry, SpeechModelEntry } from './model-entry.ts'
import { findWhisperOfSize } from './store/whisper-size.ts'

interface WhisperSize {
  width: number
  encoderLayers: number
  decoderLayers: number
}

/** Sizes of Whisper (arXiv 2212.04356, table 1; turbo: its model card) by the id of the catalog's model of that size. */
const sizes: Record<string, WhisperSize> = {
  'whisper-tiny': { width: 384, encoderLayers: 4, decoderLayers: 4 },
  'whisper-base': { width: 512, encoderLayers: 6, decoderLayers: 6 },
  'whisper-base-onnx': { width: 512, encoderLayers: 6, decoderLayers: 6 },
  'whisper-small': { width: 768, encoderLayers: 12, decoderLayers: 12 },
  'whisper-small-pashto-dropout': { width: 768, encoderLayers: 12, decoderLayers: 12 },
  'whisper-medium': { width: 1024, encoderLayers: 24, decoderLayers: 24 },
  'whisper-large-v3': { width: 1280, encoderLayers: 32, decoderLayers: 32 },
  'whisper-large-v3-q5_0': { width: 1280, encoderLayers: 32, decoderLayers: 32 },
  'whisper-large-pashto': { width: 1280, encoderLayers: 32, decoderLayers: 32 },
  'whisper-large-v3-turbo': { width: 1280, encoderLayers: 32, decoderLayers: 4 },
  'whisper-large-v3-turbo-q5_0': { width: 1280, encoderLayers: 32, decoderLayers: 4 },
}
/** Encoder positions in a 30 s window. */
const positions = 1500
/** Tokens per window: 2.5 words per second with nearly two tokens each. */
const tokensPerWindow = 130
const vocabulary = 51_865
/** Share of this host's memory that one model may take. */
const memoryShare = 0.5

export interface HostSize {
  processors: number
  memoryBytes: number
}

/** Returns the number of processors that this process may use and the memory of this host. */
export function findHostSize(): HostSize {
  return { processors: availableParallelism(), memoryBytes: totalmem() }
}

/** The cost of a Whisper of a known size in its trial on this host. */
interface MeasuredSize {
  size: WhisperSize
  /** CPU seconds per second of sound. */
  cost: number
}

/** Returns the sizes of Whisper that were measured on this processor, including those of imported models. */
export async function listMeasuredSizes(
  entries: readonly ModelEntry[],
  measurements: Record<string, ModelMeasurement>,
  modelsDir: string,
): Promise<MeasuredSize[]> {
  const found: MeasuredSize[] = []
  for (const entry of entries) {
    const cost = costOf(measurements[entry.id])
    const size = cost === null || entry.kind !== 'speech' ? undefined : await findSize(entry, entries, modelsDir)
    if (cost !== null && size) found.push({ size, cost })
  }
  return found
}

/** Forms of the same weights have the same size, which a ggml file specifies. */
async function findSize(
  entry: SpeechModelEntry,
  entries: readonly ModelEntry[],
  modelsDir: string,
): Promise<WhisperSize | undefined> {
  const known = sizes[entry.id]
  if (known) return known
  const file = entries.find(
    (other) => other.kind === 'speech' && !other.sherpa && weightsOf(other) === weightsOf(entry),
  )
  const path = file && modelPath(file, modelsDir)
  const model = path === undefined ? undefined : await findWhisperOfSize(path).catch(() => undefined)
  return model && sizes[model.id]
}

interface WorkFacts {
  measurements: Record<string, ModelMeasurement>
  measuredSizes: readonly MeasuredSize[]
  host: HostSize
}

/**
 * Returns the resources that a speech model needs on this host: as measured here in its last trial, or else estimated from the trial of a
 * Whisper of another size by comparing their multiplications; null for a translation model. Measurements from other processors say nothing.
 */
export function describeModelWork(
  entry: Pick<ModelEntry, 'id' | 'kind' | 'memoryBytes'>,
  { measurements, measuredSizes, host }: WorkFacts,
): ModelWork | null {
  if (entry.kind !== 'speech') return null
  const own = costOf(measurements[entry.id])
  const cpuSPerS = own ?? estimateCost(entry.id, measuredSizes)
  const ownBytes = measurements[entry.id]?.peakMemoryBytes ?? entry.memoryBytes
  return {
    cpu_s_per_s: cpuSPerS,
    is_measured: own !== null,
    keeps_up: cpuSPerS === null ? null : cpuSPerS <= host.processors,
    has_memory: ownBytes === null ? null : ownBytes <= host.memoryBytes * memoryShare,
  }
}

/** Uses the nearest measured size, which says most; of two forms of one size, the one that runs, which takes less time. */
function estimateCost(id: string, measured: readonly MeasuredSize[]): number | null {
  const size = sizes[id]
  if (!size) return null
  const ratioTo = (other: WhisperSize) => countMultiplications(size) / countMultiplications(other)
  const distance = (other: WhisperSize) => Math.abs(Math.log(ratioTo(other)))
  const [nearest] = measured.toSorted((a, b) => distance(a.size) - distance(b.size) || a.cost - b.cost)
  return nearest ? nearest.cost * ratioTo(nearest.size) : null
}

function costOf(measurement: ModelMeasurement | undefined): number | null {
  return measurement?.processor === findThisProcessor() ? measurement.cpuSPerS : null
}

/** Returns the number of multiplications for a 30 s window: the encoder's, and the decoder's for the window's tokens. */
function countMultiplications({ width, encoderLayers, decoderLayers }: WhisperSize): number {
  const perEncoderLayer = 12 * width ** 2 * positions + 2 * positions ** 2 * width
  const keysAndValues = 2 * width ** 2 * positions
  const perToken = decoderLayers * (14 * width ** 2 + 2 * positions * width) + vocabulary * width
  return encoderLayers * perEncoderLayer + decoderLayers * keysAndValues + tokensPerWindow * perToken
}
