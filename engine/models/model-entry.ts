import { z } from 'zod'
import { sherpaFamilies, sherpaFamilyNames } from './sherpa-families.ts'

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))

/** A measured error of a model: word error rate (speech) or its translation counterpart, in percent. */
const MeasuredError = z.object({
  language: z.string(),
  metric: z.enum(['wer', 'exact_mismatch']),
  percent: z.number().nonnegative(),
  /** The corpus on which it was measured. */
  corpus: z.string(),
})

/** A relative path that does not leave its folder. */
const relativePath = z.string().regex(/^(?!\/)(?!.*\.\.)[\w./-]+$/)

const Common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  name: z.string(),
  /** Path below the models folder; null for weights that must be converted first. For a model with several files, their folder. */
  file: relativePath.nullable(),
  /** Source of the file, or of the weights to convert; null when unknown. */
  url: z.url().nullable(),
  /** Exact size; null if unknown. */
  sizeBytes: z.int().positive().nullable(),
  /** Expected size if the exact one is unknown. */
  approximateSize: z.string().nullable().default(null),
  /** Null if none was published. */
  sha256: hex(64).nullable(),
  sha1: hex(40).nullable(),
  licence: z.string(),
  /** Codes of the product's languages that the model supports. */
  languages: z.array(z.string()).min(1),
  /** Whether it is one of the small models that come with Awaz and know only a closed vocabulary. */
  isDemo: z.boolean().default(false),
  /** Main memory while running; null when unknown. */
  memoryBytes: z.int().positive().nullable().default(null),
  /** Empty if nothing was measured. */
  errors: z.array(MeasuredError).default([]),
  note: z.string().optional(),
}

/** The best decoding settings of a model; defaults are in decode-settings.ts. For names and units, see Decoding in speech-backend.ts. */
const DecodingSettings = z.object({
  beamSize: z.int().min(1).max(8).optional(),
  temperatureStep: z.number().min(0).max(1).optional(),
  bestOf: z.int().min(1).max(8).optional(),
  entropyThreshold: z.number().min(0).optional(),
  logProbabilityThreshold: z.number().max(0).optional(),
  noSpeechThreshold: z.number().min(0).max(1).optional(),
  audioContextFactor: z.number().min(1).max(30).optional(),
})

/** A file of a model that consists of several. */
const ModelFile = z.object({
  /** Path below the model's folder. */
  name: relativePath,
  sizeBytes: z.int().positive().nullable().default(null),
  sha256: hex(64).nullable().default(null),
})
export type ModelFile = z.infer<typeof ModelFile>

/** Settings of a model whose files are in a format of sherpa-onnx. */
const SherpaModel = z
  .object({
    family: z.enum(sherpaFamilyNames),
    /** Files by role: see sherpa-families.ts. */
    files: z.record(z.string(), ModelFile),
    /** Whether the weights of `files` are 8-bit integers, which only some CPUs multiply exactly: see cpu-features.ts. */
    isInt8: z.boolean().default(false),
    /** The same weights as float32, for all other CPUs: only the files that differ from `files`. Empty if there are none. */
    float32Files: z.record(z.string(), ModelFile).default({}),
  })
  .superRefine(({ family, files }, context) => {
    const missing = sherpaFamilies[family].roles.filter((role) => !Object.hasOwn(files, role))
    if (missing.length > 0) context.addIssue({ code: 'custom', message: `Missing files: ${missing.join(', ')}.` })
  })

export const SpeechModelEntry = z.object({
  ...Common,
  kind: z.literal('speech'),
  /** Its files in a format of sherpa-onnx; null for a model that whisper.cpp or a server runs: see `isSherpaModel` and `isRemote`. */
  sherpa: SherpaModel.nullable().default(null),
  /** Entries with the same name hold the same weights in different formats, so that their costs can be compared. */
  weights: z.string().nullable().default(null),
  /** Whether these weights have never been run with Awaz: `awaz models verify` tries them. */
  isUntried: z.boolean().default(false),
  /** Its name on the transcription servers that run it, in which case it has no file here. */
  remoteName: z.string().optional(),
  decoding: DecodingSettings.default({}),
  /** Settings that differ for single languages, by code. */
  languageDecoding: z.record(z.string(), DecodingSettings).default({}),
  /** Maximum length of audio per call. */
  maxWindowMs: z.int().min(1000).max(30_000).default(30_000),
  /** For a model that transcribes only one utterance per call. */
  oneSpanPerWindow: z.boolean().default(false),
  /** Minimum number of encoder positions (20 ms each, 1500 in all) with which the model still works: see audio-context.ts. */
  minAudioContext: z.int().min(64).max(1500).default(768),
})
export type SpeechModelEntry = z.infer<typeof SpeechModelEntry>

/** A language pair as written in profiles: `ps-en`. */
const pairCode = z.string().regex(/^[a-z]{2,3}-[a-z]{2,3}$/)

/**
 * Prompt format and sampling of a translation model. Omitted settings are the defaults of the form: see engine/translation/profiles.
 */
export const TranslationProfile = z.object({
  /**
   * `chat`: instructions in the system role, the text as the user's message. `plain`: one user message with the instruction and the
   * text, nothing else. `completion`: examples and a stop at the end of the line, for weights without instruction tuning.
   * `translategemma` and `hy-mt`: the prompts on which these families were trained.
   */
  form: z.enum(['chat', 'plain', 'completion', 'translategemma', 'hy-mt']),
  /** Instructions instead of the form's own. `{source}` and `{target}` stand for the names of the languages. */
  system: z.string().optional(),
  /** A chat template in Jinja instead of the one in the model's file. */
  template: z.string().optional(),
  /** Few-shot examples by pair (`ps-en`), instead of the built-in ones. */
  examples: z.record(pairCode, z.array(z.object({ source: z.string(), target: z.string() })).min(1)).optional(),
  /** Stop sequences, in addition to those of the form. */
  stop: z.array(z.string().min(1)).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  topK: z.int().min(0).optional(),
  repeatPenalty: z.number().min(1).max(2).optional(),
  /** Limit of a completion: tokens of the target language per character of the source text. */
  tokensPerCharacter: z.number().positive().max(20).optional(),
  /** Maximum number of preceding lines in the prompt. */
  contextLines: z.int().min(0).max(20).optional(),
  /** Whether several lines are translated in one request, numbered. */
  batch: z.boolean().optional(),
})
export type TranslationProfile = z.infer<typeof TranslationProfile>

export const TranslationModelEntry = z.object({
  ...Common,
  kind: z.literal('translation'),
  profile: TranslationProfile.optional(),
  /** Its name on the translation servers that run it, in which case it has no file here. */
  remoteName: z.string().optional(),
})
export type TranslationModelEntry = z.infer<typeof TranslationModelEntry>

/**
 * One model from models/catalog.json or from an operator's catalog.local.json. Anything unknown is null or empty, never a guess. Unknown
 * keys are left out and reported by read-catalog-file.ts.
 */
export const ModelEntry = z.discriminatedUnion('kind', [SpeechModelEntry, TranslationModelEntry])
export type ModelEntry = z.infer<typeof ModelEntry>

/** An entry with the path of its file. `contentHash` is set if the weights were pinned: see pin-model.ts. */
export type SpeechModel = SpeechModelEntry & { path: string; contentHash?: string }
export type TranslationModel = TranslationModelEntry & { path: string; contentHash?: string }

/** Whether a server runs the model, in which case it has no file here. */
export function isRemote({ remoteName }: ModelEntry): boolean {
  return remoteName !== undefined
}

type SherpaSettings = z.infer<typeof SherpaModel>

/** Whether a speech model has files in a format of sherpa-onnx; whisper.cpp runs the others, unless a server does. */
export function isSherpaModel<Model extends SpeechModelEntry>(
  model: Model,
): model is Model & { sherpa: SherpaSettings } {
  return model.sherpa !== null
}
