import { z } from 'zod'
import { sherpaFamilies, sherpaFamilyNames } from './sherpa-families.ts'

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))

/** A measured error of a model: word error rate (speech) or its translation counterpart, in percent. */
const MeasuredError = z.object({
  language: z.string(),
  metric: z.enum(['wer', 'exact_mismatch']),
  percent: z.number().nonnegative(),
  /** What it was measured on. */
  corpus: z.string(),
})

/** A path without a way out of the folder it starts from. */
const relativePath = z.string().regex(/^(?!\/)(?!.*\.\.)[\w./-]+$/)

const Common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  name: z.string(),
  /** Below the models folder; null for weights that must be converted first. The folder of the files where a model has several. */
  file: relativePath.nullable(),
  /** Where the file, or the weights to convert, can be had; null when unknown. */
  url: z.url().nullable(),
  /** Exact size; null when nobody has told it. */
  sizeBytes: z.int().positive().nullable(),
  /** Size to expect where the exact one is unknown. */
  approximateSize: z.string().nullable().default(null),
  /** Null when none was published. */
  sha256: hex(64).nullable(),
  sha1: hex(40).nullable(),
  licence: z.string(),
  /** Codes of the product's languages that the model can be asked for. */
  languages: z.array(z.string()).min(1),
  /** Whether it is one of the small models that come with Awaz and know a closed vocabulary. */
  isDemo: z.boolean().default(false),
  /** Main memory while running; null when unknown. */
  memoryBytes: z.int().positive().nullable().default(null),
  /** Empty when nothing was measured. */
  errors: z.array(MeasuredError).default([]),
  note: z.string().optional(),
}

/** How a model decodes best; what is left out is the default of decode-settings.ts. Names and units: Decoding in speech-backend.ts. */
const DecodingSettings = z.object({
  beamSize: z.int().min(1).max(8).optional(),
  temperatureStep: z.number().min(0).max(1).optional(),
  bestOf: z.int().min(1).max(8).optional(),
  entropyThreshold: z.number().min(0).optional(),
  logProbabilityThreshold: z.number().max(0).optional(),
  noSpeechThreshold: z.number().min(0).max(1).optional(),
  audioContextFactor: z.number().min(1).max(30).optional(),
})

/** A file of a model of several. */
const ModelFile = z.object({
  /** Below the model's folder. */
  name: relativePath,
  sizeBytes: z.int().positive().nullable().default(null),
  sha256: hex(64).nullable().default(null),
})
export type ModelFile = z.infer<typeof ModelFile>

/** What sherpa-onnx needs to know of a model. */
const SherpaModel = z
  .object({
    family: z.enum(sherpaFamilyNames),
    /** By role: see sherpa-families.ts. */
    files: z.record(z.string(), ModelFile),
    /** Whether the weights of `files` are 8-bit integers, which only some CPUs multiply exactly: see cpu-features.ts. */
    isInt8: z.boolean().default(false),
    /** The same weights as float32, for all other CPUs: those of `files` that differ. Empty where there are none. */
    float32Files: z.record(z.string(), ModelFile).default({}),
  })
  .superRefine(({ family, files }, context) => {
    const missing = sherpaFamilies[family].roles.filter((role) => !Object.hasOwn(files, role))
    if (missing.length > 0) context.addIssue({ code: 'custom', message: `Missing files: ${missing.join(', ')}.` })
  })

export const SpeechModelEntry = z.object({
  ...Common,
  kind: z.literal('speech'),
  /** What runs it: sherpa-onnx where `sherpa` says how, else whisper.cpp. */
  sherpa: SherpaModel.nullable().default(null),
  /** Entries of one name hold the same weights in different formats, so that what they cost can be compared. */
  weights: z.string().nullable().default(null),
  /** Nobody has run these weights with Awaz yet: `awaz models verify` tries them. */
  isUntried: z.boolean().default(false),
  /** What transcription servers call it; for a model that they run, which has no file here. */
  remoteName: z.string().optional(),
  decoding: DecodingSettings.default({}),
  /** Differences for single languages, by code. */
  languageDecoding: z.record(z.string(), DecodingSettings).default({}),
  /** Longest stretch one call may hear. */
  maxWindowMs: z.int().min(1000).max(30_000).default(30_000),
  /** For a model that hears only one utterance a call. */
  oneSpanPerWindow: z.boolean().default(false),
  /** Fewest encoder positions (20 ms each, 1500 in all) that the model still works with: see whisper.ts. */
  minAudioContext: z.int().min(64).max(1500).default(768),
})
export type SpeechModelEntry = z.infer<typeof SpeechModelEntry>

/** A language pair as profiles name it: `ps-en`. */
const pairCode = z.string().regex(/^[a-z]{2,3}-[a-z]{2,3}$/)

/**
 * How a translation model wants to be asked, and how it is sampled. What is left out is the default of the form: see
 * engine/translation/profiles.
 */
export const TranslationProfile = z.object({
  /**
   * `chat`: instructions in the system role, the text as the user's message. `plain`: one user message of the instruction and the
   * text, nothing else. `completion`: examples and a stop at the line's end, for weights without instruction tuning.
   * `translategemma` and `hy-mt`: the prompts that these families were trained on.
   */
  form: z.enum(['chat', 'plain', 'completion', 'translategemma', 'hy-mt']),
  /** Instructions instead of the form's own. `{source}` and `{target}` stand for the names of the languages. */
  system: z.string().optional(),
  /** A chat template in Jinja instead of the one in the model's file. */
  template: z.string().optional(),
  /** Translations to learn from, by pair (`ps-en`), instead of the built-in ones. */
  examples: z.record(pairCode, z.array(z.object({ source: z.string(), target: z.string() })).min(1)).optional(),
  /** Texts at which an answer ends, beside those of the form. */
  stop: z.array(z.string().min(1)).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  topK: z.int().min(0).optional(),
  repeatPenalty: z.number().min(1).max(2).optional(),
  /** Room of an answer: tokens of the target language a character of the source text. */
  tokensPerCharacter: z.number().positive().max(20).optional(),
  /** Most lines before the one to translate that the model is shown. */
  contextLines: z.int().min(0).max(20).optional(),
  /** Whether several lines are asked for at once, with numbered answers. */
  batch: z.boolean().optional(),
})
export type TranslationProfile = z.infer<typeof TranslationProfile>

export const TranslationModelEntry = z.object({
  ...Common,
  kind: z.literal('translation'),
  profile: TranslationProfile.optional(),
  /** What translation servers call it; for a model that they run, which has no file here. */
  remoteName: z.string().optional(),
})
export type TranslationModelEntry = z.infer<typeof TranslationModelEntry>

/**
 * One model of models/catalog.json or of an operator's catalog.local.json. Anything unknown is null or empty, never a guess. Keys that
 * this version does not know are left out, and told by read-catalog-file.ts.
 */
export const ModelEntry = z.discriminatedUnion('kind', [SpeechModelEntry, TranslationModelEntry])
export type ModelEntry = z.infer<typeof ModelEntry>

/** An entry and the file it stands for. `contentHash` is that of the weights where they were pinned: see pin-model.ts. */
export type SpeechModel = SpeechModelEntry & { path: string; contentHash?: string }
export type TranslationModel = TranslationModelEntry & { path: string; contentHash?: string }
