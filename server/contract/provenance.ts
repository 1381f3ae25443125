import { z } from 'zod'
import { Moment } from './scalars.ts'

/** A model that produced a text, and the runtime that ran it. */
export const ModelProvenance = z.object({
  model_id: z.string(),
  model_name: z.string(),
  /** SHA-256 of the weights in lowercase hex; null when they are on another machine. */
  model_hash: z.string().nullable(),
  /** The runtime: `whisper.cpp`, `onnxruntime`, `sherpa-onnx`, `llama.cpp`, or hosts of servers that know the model as `model_name`. */
  engine: z.string(),
  /** Null when the engine does not report it. */
  engine_version: z.string().nullable(),
  /** The decoding parameters, by the names that the engine uses. */
  settings: z.record(z.string(), z.unknown()),
  /** When the text was finished. */
  created_at: Moment,
})
export type ModelProvenance = z.infer<typeof ModelProvenance>

/** The models that produced a text, the main one first; null or missing for texts from versions that did not store them. */
export const Provenance = z.array(ModelProvenance).nullable()
export type Provenance = z.infer<typeof Provenance>

/** This many digits of a hash distinguish any two models on a host. */
const shownHashDigits = 12

/** Describes a model in one line: `Whisper base · whisper.cpp 1.9.3`. */
export function describeModel({ model_name, engine, engine_version }: ModelProvenance): string {
  return `${model_name} · ${engine}${engine_version === null ? '' : ` ${engine_version}`}`
}

/** Describes the models of a text in one line, with the beginning of their hashes; null when they were not stored or none was needed. */
export function describeProvenance(provenance: Provenance | undefined): string | null {
  if (!provenance || provenance.length === 0) return null
  const models = provenance.map((model) => {
    const hash = model.model_hash === null ? '' : ` · ${model.model_hash.slice(0, shownHashDigits)}`
    return `${describeModel(model)}${hash}`
  })
  return models.join('; ')
}
