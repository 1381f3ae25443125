import { z } from 'zod'
import { Moment } from '../scalars.ts'

export const ModelKind = z.enum(['speech', 'translation'])
export type ModelKind = z.infer<typeof ModelKind>

/** What a model is used for: one language, one pair such as `ps-en`, or as the default for everything else. */
export const ModelUse = z.object({
  scope: z.enum(['default', 'language', 'pair']),
  /** The language or the pair; null for `default`. */
  code: z.string().nullable(),
  /** Who chose it: the environment, which overrides everything else; a person, here or at the command line; or nobody. */
  chosen_by: z.enum(['environment', 'person', 'nobody']),
})
export type ModelUse = z.infer<typeof ModelUse>

/** A measured error of a model, in percent, as its catalogue entry has it. */
const ModelError = z.object({
  language: z.string(),
  metric: z.string(),
  percent: z.number().nonnegative(),
  corpus: z.string(),
})

/** What a model scored on a sample of the operator's own. */
export const ModelEvaluation = z.object({
  /** Name of the sample. */
  sample: z.string(),
  /** A language code, or a pair such as `fa-en`. */
  language: z.string(),
  metric: z.enum(['wer', 'cer', 'chrf']),
  /** Percent; of `chrf` 0 to 100, where more is better. */
  value: z.number(),
  /** Bounds of the 95% interval; null where there is none. */
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

/** What a speech model takes on this host. */
const ModelWork = z.object({
  /** CPU seconds per second of audio; null where unknown. */
  cpu_s_per_s: z.number().nonnegative().nullable(),
  /** False where it is estimated from a Whisper of another size. */
  is_measured: z.boolean(),
  /** Whether all processors together transcribe faster than people speak; null where that is not known. */
  keeps_up: z.boolean().nullable(),
  /** Whether half of the memory of this host is enough; null where that is not known. */
  has_memory: z.boolean().nullable(),
})
export type ModelWork = z.infer<typeof ModelWork>

/** A model as an administrator sees it. Unknown and unmeasured fields are null or empty. */
export const Model = z.object({
  id: z.string(),
  name: z.string(),
  kind: ModelKind,
  /** What runs it: `whisper.cpp`, `onnxruntime`, `sherpa-onnx`, `llama.cpp`. */
  engine: z.string(),
  languages: z.array(z.string()),
  /** One of the small models that come with Awaz and know a closed vocabulary. */
  is_demo: z.boolean(),
  is_installed: z.boolean(),
  /** Why an installed model cannot be used, and what to do. */
  problem: z.object({ message: z.string(), help: z.string().nullable() }).nullable(),
  uses: z.array(ModelUse),
  /** SHA-256 of its files; null when they are not installed or not hashed yet. */
  content_hash: z.string().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  /** Approximate size when the exact one is unknown. */
  approximate_size: z.string().nullable(),
  memory_bytes: z.int().nonnegative().nullable(),
  licence: z.string().nullable(),
  /** Where it, or the weights to convert, can be downloaded. */
  url: z.string().nullable(),
  note: z.string().nullable(),
  /** Which format of the same weights runs in its place, or in whose place it runs, and why. */
  form: z.string().nullable().default(null),
  /** What it takes on this host; null for a translation model. */
  work: ModelWork.nullable().default(null),
  errors: z.array(ModelError),
  evaluations: z.array(ModelEvaluation),
  trial: ModelTrial.nullable(),
  /** Why it cannot be downloaded from this host; null when it can. */
  pull_problem: z.string().nullable(),
})
export type Model = z.infer<typeof Model>
