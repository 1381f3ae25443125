import { join } from 'node:path'
import { isTranslationLanguage, transcriptionLanguages } from '#contract/languages.ts'
import { AppError } from '#contract/app-error.ts'
import { readCatalog } from '../catalog.ts'
import { readFileLanguages } from '../file-languages.ts'
import { readGguf } from '../gguf-file.ts'
import type { GgufMetadata } from '../gguf-file.ts'
import { SpeechModelEntry, TranslationModelEntry } from '../model-entry.ts'
import type { ModelEntry } from '../model-entry.ts'
import { sherpaFamilies, type SherpaFamilyName } from '../sherpa-families.ts'
import type { OnnxModel } from './find-onnx-model.ts'
import type { ImportOptions } from './import-options.ts'
import { findOnnxWhisperOfSize, findWhisperOfSize } from './whisper-size.ts'

interface EntryBasics {
  id: string
  /** Display name if none was given. */
  fallbackName: string
  /** Path below the models folder. */
  file: string
  /** The catalog entry with this id. */
  known: ModelEntry | undefined
  options: ImportOptions
}

const nothingKnown = { url: null, sizeBytes: null, sha256: null, sha1: null, isDemo: false }
const unknownLicence = 'unknown'

function common({ id, fallbackName, file, known, options }: EntryBasics) {
  return {
    ...known,
    ...nothingKnown,
    url: known?.url ?? null,
    id,
    file,
    name: options.name ?? known?.name ?? fallbackName,
    licence: options.licence ?? known?.licence ?? unknownLicence,
    note: undefined,
    approximateSize: undefined,
  }
}

/** Persian and Dari need beam search: docs/accuracy.md. */
const onnxWhisperDecoding = { fa: { beamSize: 5 } }

/** Creates the entry of a Whisper in ggml format. A file with an English vocabulary supports only English. */
export async function makeGgmlEntry(basics: EntryBasics, path: string): Promise<ModelEntry> {
  const { options, known } = basics
  const all = [...transcriptionLanguages]
  const draft = SpeechModelEntry.parse({ ...common(basics), kind: 'speech', languages: all, sherpa: null })
  const inFile = await readFileLanguages({ ...draft, path })
  const missing = options.languages?.find((code) => !inFile.includes(code))
  if (missing !== undefined) {
    throw new AppError('model_unavailable', `The model in ${path} knows ${inFile.join(', ')} and not ${missing}.`)
  }
  const wanted = options.languages ?? known?.languages.filter((code) => inFile.includes(code)) ?? inFile
  return SpeechModelEntry.parse({ ...draft, languages: wanted, ...(known ? {} : await chooseDecoding(path)) })
}

/** Uses the decoding settings of the Whisper of the same size in the catalog; Persian needs beam search in every size. */
async function chooseDecoding(path: string): Promise<Partial<SpeechModelEntry>> {
  const same = await findWhisperOfSize(path)
  if (!same) return { languageDecoding: { fa: { beamSize: 5, temperatureStep: 0.2 } } }
  return { decoding: same.decoding, languageDecoding: same.languageDecoding }
}

/** Creates the entry of a translation model from its file's metadata. */
export async function makeGgufEntry(basics: EntryBasics, path: string): Promise<ModelEntry> {
  const read = await readGguf(path)
  if ('problem' in read) throw new AppError('model_unavailable', `${path} cannot be imported: ${read.problem}.`)
  const { metadata } = read
  assertGeneratesText(path, metadata)
  const { options, known } = basics
  const declared = metadata.languages.filter((code) => isTranslationLanguage(code))
  const languages =
    options.languages ?? known?.languages ?? (declared.length > 1 ? declared : [...transcriptionLanguages])
  const entry = common({ ...basics, fallbackName: metadata.name ?? basics.fallbackName })
  const licence = entry.licence === unknownLicence ? (metadata.licence ?? unknownLicence) : entry.licence
  return TranslationModelEntry.parse({
    profile: guessProfile(metadata),
    ...entry,
    kind: 'translation',
    licence,
    languages,
  })
}

/** Throws for architectures that do not generate text. */
function assertGeneratesText(path: string, { architecture = 'unknown' }: GgufMetadata): void {
  if (!/bert|clip|mmproj|embed|whisper/iu.test(architecture)) return
  throw new AppError('model_unavailable', `${path} cannot translate: it is a network of the kind ${architecture}.`, {
    help: 'Translation needs a language model in GGUF format that generates text.',
  })
}

function guessProfile({ name = '', architecture = '', hasChatTemplate }: GgufMetadata): { form: string } | undefined {
  if (/translate-?gemma/iu.test(name)) return { form: 'translategemma' }
  if (/hunyuan|hy-?mt/iu.test(`${name} ${architecture}`)) return { form: 'hy-mt' }
  // Without a chat template, the model is not instruction-tuned: few-shot examples and a stop at the end of the line work.
  return hasChatTemplate ? undefined : { form: 'completion' }
}

/** Creates the entry of a model for sherpa-onnx. A CTC network names no languages, so those of its family are used. */
export async function makeOnnxEntry(basics: EntryBasics, onnx: OnnxModel, path: string): Promise<ModelEntry> {
  const { options, known } = basics
  const family = onnx.family ?? (known?.kind === 'speech' ? known.sherpa?.family : undefined)
  if (family === undefined) {
    throw new AppError(
      'model_unavailable',
      `${path} has a network for sherpa-onnx that does not say of which family it is.`,
      {
        help: 'Give its folder the name of the family (omnilingual, dolphin, sense-voice, nemo-ctc), or --id of its entry in the catalogue.',
      },
    )
  }
  const { isInt8, files, float32Files } = onnx
  const draft = SpeechModelEntry.parse({
    ...(family === 'whisper'
      ? await chooseOnnxDecoding(join(path, files.encoder?.name ?? ''))
      : { maxWindowMs: 29_000 }),
    ...common(basics),
    kind: 'speech',
    languages: options.languages ?? known?.languages ?? (await languagesOfFamily(family, path)),
    sherpa: { family, isInt8, files, float32Files },
  })
  if (options.languages || family !== 'whisper') return draft
  return SpeechModelEntry.parse({ ...draft, languages: await readFileLanguages({ ...draft, path }) })
}

/** Uses the decoding settings of the onnxruntime Whisper of the same size in the catalog. */
async function chooseOnnxDecoding(encoderPath: string): Promise<Partial<SpeechModelEntry>> {
  const same = await findOnnxWhisperOfSize(encoderPath)
  if (!same) return { languageDecoding: onnxWhisperDecoding }
  return { decoding: same.decoding, languageDecoding: same.languageDecoding }
}

async function languagesOfFamily(family: SherpaFamilyName, path: string): Promise<string[]> {
  if (sherpaFamilies[family].needsLanguages) {
    throw new AppError('model_unavailable', `${path} does not say which languages the model knows.`, {
      help: 'Name them, such as --languages fa or --languages en,ar.',
    })
  }
  const entries = (await readCatalog()).filter((entry) => entry.kind === 'speech' && entry.sherpa?.family === family)
  const known = new Set(entries.flatMap(({ languages }) => languages))
  return transcriptionLanguages.filter((code) => known.has(code))
}
