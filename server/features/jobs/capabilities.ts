import type { Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { describeLanguage, isTranslationLanguage } from '#contract/languages.ts'
import { readFeatures } from '#data/queue/engines.ts'

/**
 * Refuses a transcription that the active models cannot do, before it waits in the queue. While no engine lives nothing is known
 * and nothing refused: the engine that takes the job decides.
 */
export async function requireTranscription(connection: Connection, languages: string[]): Promise<void> {
  const features = await readFeatures(connection)
  if (!features) return
  if (!features.speech) throw noModel('speech')
  const known = features.transcription
  const isDetection = (code: string) => code === 'auto' || code === 'multi'
  const impossible = languages.find((code) =>
    isDetection(code) ? !features.language_detection : !known.includes(code),
  )
  if (!impossible) return
  const what = isDetection(impossible) ? 'tell languages apart' : `transcribe ${describeLanguage(impossible).name}`
  throw new AppError('unsupported_language', `The active speech model cannot ${what}`, {
    help: `It knows ${listNames(known)}. An administrator can install other models.`,
  })
}

/** Refuses a pair of languages that the active models cannot translate; `source` may be `auto`. */
export async function requirePair(connection: Connection, source: string, target: string): Promise<void> {
  const unknown = [source, target].find((code) => code !== 'auto' && !isTranslationLanguage(code))
  if (unknown)
    throw new AppError('unsupported_pair', `${unknown} is not a language offered for translation`, {
      help: seeLanguages,
    })
  const name = describeLanguage(target).name
  if (source === target) {
    throw new AppError('unsupported_pair', `The text is in ${name} already`, {
      help: 'Choose another language to translate to.',
    })
  }
  const features = await readFeatures(connection)
  if (!features) return
  if (!features.translation) throw noModel('translation')
  const canRead = source === 'auto' || features.translation_sources.includes(source)
  if (canRead && features.translation_targets.includes(target)) return
  const from = source === 'auto' ? '' : ` from ${describeLanguage(source).name}`
  throw new AppError('unsupported_pair', `The active translation model cannot translate${from} to ${name}`, {
    help: `It translates to ${listNames(features.translation_targets)}. An administrator can install other models.`,
  })
}

const seeLanguages = 'GET /api/languages lists the languages.'

function noModel(kind: 'speech' | 'translation') {
  return new AppError('model_unavailable', `No ${kind} model is installed`, {
    help: 'An administrator can install one with: npm run awaz -- models list',
  })
}

function listNames(codes: string[]): string {
  return new Intl.ListFormat('en').format(codes.map((code) => describeLanguage(code).name))
}
