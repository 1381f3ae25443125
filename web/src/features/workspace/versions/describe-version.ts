import { isDetection, type TranscriptionLanguageChoice } from '#contract/languages.ts'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionRequest, TranscriptVersion } from '#contract/versions.ts'
import { comma, formatList } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'

/** A version with its number within the recording; the first is 1. */
export type NumberedVersion = TranscriptVersion & { number: number }

/** Numbers versions, given newest first. */
export function numberVersions(versions: TranscriptVersion[]): NumberedVersion[] {
  return versions.map((version, index) => ({ ...version, number: versions.length - index }))
}

/** Describes the requested languages: `Pashto on the left, English on the right`. */
export function describeLanguages({ language, channel_languages: channels }: TranscriptionRequest): string {
  const [left = language, right = left] = channels ?? []
  if (left === right) return nameOf(left)
  return t('{left} on the left, {right} on the right', { left: nameOf(left), right: nameOf(right) })
}

function nameOf(language: TranscriptionLanguageChoice): string {
  if (!isDetection(language)) return languageName(language)
  return language === 'auto' ? t('Detected language') : t('Several languages')
}

/** Describes the other requested options; empty if there are none. */
export function describeOptions({ names, speaker_count: count, split_voices: split }: TranscriptionRequest): string[] {
  return [
    ...(count === null ? [] : [t('{count, plural, one {# speaker} other {# speakers}}', { count })]),
    ...(split.some(Boolean) ? [t('voices of a channel separated')] : []),
    ...(names.length > 0 ? [t('likely names: {names}', { names: names.join(comma) })] : []),
  ]
}

/** Describes how much text a version has and what was done with it. */
export function describeContent(version: TranscriptVersion): string {
  const { line_count: lines, word_count: words, edited_line_count: edited, target_languages: targets } = version
  return [
    t('{lines, plural, one {# line} other {# lines}}', { lines }),
    t('{words, plural, one {# word} other {# words}}', { words }),
    ...(edited > 0 ? [t('{edited, plural, one {# line} other {# lines}} edited', { edited })] : []),
    ...(targets.length > 0 ? [t('translated into {languages}', { languages: listNames(targets) })] : []),
  ].join(' · ')
}

/** Names the models of a version, the main one first. */
export function describeModels({ model, provenance }: TranscriptVersion): string {
  const names = (provenance ?? []).map(({ model_name }) => model_name)
  return names.length > 0 ? [...new Set(names)].join(comma) : model
}

function listNames(codes: string[]): string {
  return formatList(codes.map(languageName))
}
