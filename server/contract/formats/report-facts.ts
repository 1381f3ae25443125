import { isolateName } from '../isolated-name.ts'
import { languageName } from '../languages.ts'
import { describeModel, type ModelProvenance } from '../provenance.ts'
import { t } from '../texts/t.ts'
import { oneLine, speakerTitle } from './lines.ts'
import { clock, toMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** A row of the table of facts; a value may have several lines. */
export interface ReportFact {
  label: string
  lines: string[]
}

/** Further settings are left to the JSON file. */
const maxSettings = 12
const maxSettingCharacters = 60

/** Returns the facts needed to judge a transcript: the audio, the languages, the models, the edits. Unknown facts are left out. */
export function listFacts(document: TranscriptDocument): ReportFact[] {
  const { name, transcription, translation, audio, version, exported_at: exportedAt, edited_lines: edited } = document
  return [
    fact(t('File'), name === null ? [] : [isolateName(oneLine(name))]),
    fact(t('Duration'), [clock(toMs(transcription.duration))]),
    fact(t('Languages'), languageLines(document)),
    fact(t('Translated into'), translation ? [targetLine(translation.target_language, translation.via)] : []),
    fact(t('Transcribed by'), modelLines(transcription.provenance ?? [])),
    fact(t('Transcribed'), [formatMoment(transcription.provenance?.[0]?.created_at ?? version?.finished_at)].flat()),
    fact(
      t('Version'),
      version && version.count > 1
        ? [t('{number, number} of {count, number}', { number: version.number, count: version.count })]
        : [],
    ),
    fact(t('Translated by'), modelLines(translation?.provenance ?? [])),
    fact(
      t('Edited lines'),
      edited
        ? [t('{number, number} of {count, number}', { number: edited.length, count: transcription.segments.length })]
        : [],
    ),
    fact(t('SHA-256 of the audio'), audio ? [audio.sha256] : []),
    fact(t('Exported'), [formatMoment(exportedAt)].flat()),
  ].filter(({ lines }) => lines.length > 0)
}

/** Returns what a reader must know before reading: the warnings about the recording as a whole. */
export function listCautions({ transcription }: TranscriptDocument): string[] {
  return transcription.warnings.filter(({ start }) => start === undefined).map(({ message }) => message)
}

function fact(label: string, lines: string[]): ReportFact {
  return { label, lines }
}

function languageLines(document: TranscriptDocument): string[] {
  const { transcription } = document
  const speakers = transcription.speaker_transcriptions
  if (speakers.length < 2) {
    return [describeDetectedLanguage(transcription.detected_language, transcription.language_probability)]
  }
  return speakers.map(({ speaker, detected_language, language_probability }) => {
    return `${isolateName(speakerTitle(speaker, document))}: ${describeDetectedLanguage(detected_language, language_probability)}`
  })
}

/** Returns the name of a detected language with its probability. */
export function describeDetectedLanguage(code: string | null, probability: number | null): string {
  if (code === null) return t('unknown')
  const language = languageName(code)
  return probability === null
    ? language
    : t('{language} ({share, number, ::percent})', { language, share: probability })
}

function targetLine(code: string, via: string | null | undefined): string {
  const language = languageName(code)
  return via ? t('{language}, over {via}', { language, via: languageName(via) }) : language
}

/** Returns for each model its name and engine, its hash, and its settings. */
function modelLines(models: ModelProvenance[]): string[] {
  return models.flatMap((model) => [
    describeModel(model),
    ...(model.model_hash === null ? [] : [`SHA-256 ${model.model_hash}`]),
    ...settingsLine(model.settings),
  ])
}

function settingsLine(settings: Record<string, unknown>): string[] {
  // Ids of cases and users would reveal more than a reader of the report needs to know.
  const { word_lists: _, ...told } = settings
  const shown = flatten(told).filter(([, value]) => value.length <= maxSettingCharacters)
  if (shown.length === 0) return []
  return [
    shown
      .slice(0, maxSettings)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · '),
  ]
}

/** Returns the scalar settings by name; the name of a nested one is prefixed with that of its parent, such as a language. */
function flatten(settings: object, prefix = ''): [name: string, value: string][] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const name = `${prefix}${key}`
    if (Array.isArray(value)) return value.length > 0 && value.every(isPlain) ? [[name, value.join(', ')]] : []
    if (typeof value === 'object' && value !== null) return flatten(value, key === 'decoding' ? prefix : `${name} `)
    return isPlain(value) ? [[name, String(value)]] : []
  })
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns a time as written in a report; empty when unknown. */
export function formatMoment(moment: string | null | undefined): string[] {
  return moment ? [`${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`] : []
}
