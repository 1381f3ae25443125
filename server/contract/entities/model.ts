import { z } from 'zod'
import { Moment } from '../scalars.ts'

export const ModelKind = z.enum(['speech', 'translation'])
export type ModelKind = z.infer<typeof ModelKind>

/** What a model is used for: one language, one pair such as `ps-en`, or everything else as the default. */
export const ModelUse = z.object({
  scope: z.enum(['default', 'language', 'pair']),
  /** The language or the pair; null for `default`. */
  code: z.string().nullable(),
  /** Who chose it: the environment, which overrides everything else; a person, here or on the command line; or nobody. */
  chosen_by: z.enum(['environment', 'person', 'nobody']),
})
export type ModelUse = z.infer<typeof ModelUse>

/** A measured error of a model, in percent, from its catalogue entry. */
const ModelError = z.object({
  language: z.string(),
  metric: z.string(),
  percent: z.number().nonnegative(),
  corpus: z.string(),
})

/** The score of a model on one of the operator's own samples. */
export const ModelEvaluation = z.object({
  /** Name of the sample. */
  sample: z.string(),
  /** A language code, or a pair such as `fa-en`. */
  language: z.string(),
  metric: z.enum(['wer', 'cer', 'chrf']),
  /** Percent; for `chrf`, 0 to 100, where higher is better. */
  value: z.number(),
  /** Bounds of the 95% confidence interval; null when there is none. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  measured_at: Moment,
})
export type ModelEvaluation = z.infer<typeof ModelEvaluation>

/** The measurements of the last trial of a model on this host. */
const ModelTrial = z.object({
  engine: z.string(),
  tried_at: Moment,
  /** Seconds of processing per second of audio; null for a translation model. */
  real_time_factor: z.number().nonnegative().nullable(),
  peak_memory_bytes: z.int().nonnegative().nullable(),
})

/** The resources that a speech model needs on this host. */
const ModelWork = z.object({
  /** CPU seconds per second of audio; null when unknown. */
  cpu_s_per_s: z.number().nonnegative().nullable(),
  /** False when it is estimated from a Whisper model of another size. */
  is_measured: z.boolean(),
  /** Whether all processors together transcribe faster than people speak; null when unknown. */
  keeps_up: z.boolean().nullable(),
  /** Whether half of the memory of this host is enough; null when unknown. */
  has_memory: z.boolean().nullable(),
})
export type ModelWork = z.infer<typeof ModelWork>

/** A model as an administrator sees it. Unknown and unmeasured fields are null or empty. */
export const Model = z.object({
  id: z.string(),
  name: z.string(),
  kind: ModelKind,
  /** The runtime: `whisper.cpp`, `onnxruntime`, `sherpa-onnx` or `llama.cpp`. */
  engine: z.string(),
  languages: z.array(z.string()),
  /** Whether it is one of the small models that ship with Awaz and know only a closed vocabulary. */
  is_demo: z.boolean(),
  is_installed: z.boolean(),
  /** Why an installed model cannot be used, and what to do about it. */
  problem: z.object({ message: z.string(), help: z.string().nullable() }).nullable(),
  uses: z.array(ModelUse),
  /** SHA-256 of its files; null when they are not installed or not hashed yet. */
  content_hash: z.string().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  /** Approximate size when the exact size is unknown. */
  approximate_size: z.string().nullable(),
  memory_bytes: z.int().nonnegative().nullable(),
  licence: z.string().nullable(),
  /** Where the model, or the weights to convert, can be downloaded. */
  url: z.string().nullable(),
  note: z.string().nullable(),
  /** Which format of the same weights runs instead of this one, or which one this replaces, and why. */
  form: z.string().nullable().default(null),
  /** The resources that it needs on this host; null for a translation model. */
  work: ModelWork.nullable().default(null),
  errors: z.array(ModelError),
  evaluations: z.array(ModelEvaluation),
  trial: ModelTrial.nullable(),
  /** Why it cannot be downloaded from this host; null when it can. */
  pull_problem: z.string().nullable(),
})
export type Model = z.infer<typeof Model>
