import { z } from 'zod'
import { ErrorBody } from '../errors.ts'
import { Id, Moment } from '../scalars.ts'

const ModelId = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'Not a valid model id')
const LanguageCode = z.string().regex(/^[a-z]{2,3}$/, 'Not a valid language code')
const LanguagePair = z.string().regex(/^[a-z]{2,3}-[a-z]{2,3}$/, 'A pair is written like ps-en')

/** A file or folder in MODELS_DIR/import: letters, digits, dot, dash and underscore, so that it is a valid name on every file system. */
export const ImportName = z
  .string()
  .max(100, 'A name has at most 100 characters')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'A name is made of letters, digits, dots, dashes and underscores')

/** Facts about an imported model that its files do not contain. */
export const ImportChoices = z.object({
  /** Display name. Default: derived from the file name. */
  name: z.string().trim().min(1).max(100).optional(),
  /** Default: the languages named in its files. */
  languages: z.array(LanguageCode).max(200).optional(),
  licence: z.string().trim().min(1).max(200).optional(),
  /** Whether Whisper weights are quantized to 8 bits: about half the size at the same error. */
  quantize: z.boolean().default(false),
})
export type ImportChoices = z.infer<typeof ImportChoices>

/** A requested change to the models of this installation. */
export const ModelRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pull'), model_id: ModelId }),
  z.object({ kind: z.literal('import'), import_name: ImportName, ...ImportChoices.shape }),
  z.object({ kind: z.literal('verify'), model_id: ModelId }),
  z
    .object({
      kind: z.literal('use'),
      model_id: ModelId,
      language: LanguageCode.optional(),
      pair: LanguagePair.optional(),
    })
    .refine(({ language, pair }) => !language || !pair, 'Choose a language or a pair, not both'),
  z
    .object({
      kind: z.literal('clear'),
      model_id: ModelId,
      language: LanguageCode.optional(),
      pair: LanguagePair.optional(),
    })
    .refine(({ language, pair }) => Boolean(language) !== Boolean(pair), 'Name a language or a pair'),
  z.object({ kind: z.literal('remove'), model_id: ModelId }),
])
export type ModelRequest = z.infer<typeof ModelRequest>
export type ModelOperationKind = ModelRequest['kind']
export const modelOperationKinds = [
  'pull',
  'import',
  'verify',
  'use',
  'clear',
  'remove',
] as const satisfies ModelOperationKind[]

export const modelOperationStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const ModelOperationState = z.enum(modelOperationStates)
export type ModelOperationState = z.infer<typeof ModelOperationState>

/** The progress of an operation: `done` of `total`, in bytes or whatever the stage counts; `total` is null when unknown. */
export const ModelProgress = z.object({
  /** The current step in a few words: `Downloading`. */
  stage: z.string(),
  done: z.number().nonnegative(),
  total: z.number().positive().nullable(),
  is_bytes: z.boolean(),
})
export type ModelProgress = z.infer<typeof ModelProgress>

/** The outcome of an operation: a sentence, and details such as the figures of a trial. */
export const ModelOutcome = z.object({
  message: z.string(),
  details: z.array(z.string()),
  /** The resulting model, for example after an import. */
  model_id: z.string().nullable(),
})
export type ModelOutcome = z.infer<typeof ModelOutcome>

/** An operation as a super admin sees it; operations are kept for 30 days. */
export const ModelOperation = z.object({
  id: Id,
  kind: z.enum(modelOperationKinds),
  state: ModelOperationState,
  model_id: z.string().nullable(),
  import_name: z.string().nullable(),
  language: z.string().nullable(),
  pair: z.string().nullable(),
  progress: ModelProgress.nullable(),
  outcome: ModelOutcome.nullable(),
  error: ErrorBody.nullable(),
  requested_by: z.string(),
  created_at: Moment,
  started_at: Moment.nullable(),
  finished_at: Moment.nullable(),
})
export type ModelOperation = z.infer<typeof ModelOperation>

/** A file or folder in MODELS_DIR/import. */
export const ModelImport = z.object({
  name: ImportName,
  is_folder: z.boolean(),
  files: z.int().nonnegative(),
  size_bytes: z.int().nonnegative(),
  /** Whether it was uploaded in the browser, in which case it is deleted after the import. */
  is_uploaded: z.boolean(),
  changed_at: Moment,
})
export type ModelImport = z.infer<typeof ModelImport>

/** A file of an upload: its path below the folder, separated by `/`. */
export const UploadFile = z.object({
  path: z
    .string()
    .max(300)
    .refine(
      (path) => path.split('/').length <= 4 && path.split('/').every((part) => ImportName.safeParse(part).success),
      'A file name is made of letters, digits, dots, dashes and underscores, at most three folders deep',
    ),
  size_bytes: z.int().positive('The file is empty'),
})
