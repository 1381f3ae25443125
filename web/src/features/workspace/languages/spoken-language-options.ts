import { t } from '#contract/texts/t.ts'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { languageOptions, languageProblems } from './language-options.ts'

/** The options for an unknown spoken language, or one that changes within the recording. */
const detections = [
  { value: 'auto', label: t('Detect language') },
  { value: 'multi', label: t('Detect part by part') },
]

/** Returns the options of a spoken-language picker and, by language, why its model cannot be used. */
export function useSpokenLanguageOptions() {
  const { transcription, features } = useLanguages()
  const problems = languageProblems(features?.models ?? [])
  const options = [
    ...languageOptions(transcription, { handled: features?.transcription, problems }),
    ...(features?.language_detection === false ? [] : detections),
  ]
  return { options, problems }
}
