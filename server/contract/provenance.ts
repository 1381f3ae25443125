import { z } from 'zod'
import { Moment } from './scalars.ts'

/** A model that made a text, and what ran it. */
export const ModelProvenance = z.object({
  model_id: z.string(),
  model_name: z.string(),
  /** SHA-256 of the weights, in lower-case hex; null where another machine holds them. */
  model_hash: z.string().nullable(),
  /** What ran the model: `whisper.cpp`, `sherpa-onnx`, `llama.cpp`, or hosts of servers, which know the model by `model_name`. */
  engine: z.string(),
  /** Null where the engine does not tell. */
  engine_version: z.string().nullable(),
  /** How the model was asked, by the names that the engine uses. */
  settings: z.record(z.string(), z.unknown()),
  /** When the text was finished. */
  created_at: Moment,
})
export type ModelProvenance = z.infer<typeof ModelProvenance>

/** The models that made a text, the main one first; null or missing for texts of versions that did not note it. */
export const Provenance = z.array(ModelProvenance).nullable()
export type Provenance = z.infer<typeof Provenance>

/** So many digits of a hash tell any two models of a host apart. */
const shownHashDigits = 12

/** `Whisper base · whisper.cpp 1.9.3`: what made a text, in a line. */
export function describeModel({ model_name, engine, engine_version }: ModelProvenance): string {
  return `${model_name} · ${engine}${engine_version === null ? '' : ` ${engine_version}`}`
}

/** The models of a text in a line, with the beginning of their hashes; null where they were not noted, or where none was needed. */
export function describeProvenance(provenance: Provenance | undefined): string | null {
  if (!provenance || provenance.length === 0) return null
  const models = provenance.map((model) => {
    const hash = model.model_hash === null ? '' : ` · ${model.model_hash.slice(0, shownHashDigits)}`
    return `${describeModel(model)}${hash}`
  })
  return models.join('; ')
}
