import { t } from '#contract/texts/t.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import classes from './translation-notes.module.css'

/** Says that a translation, or part of it, was made in two steps via a pivot language; renders nothing if it was not. */
export function PivotLanguageNote({ translation }: { translation: TranslationResult }) {
  const { via, segments } = translation
  if (!via) return null
  const isWhole = segments.every((segment) => segment.via || segment.error !== null)
  return (
    <p className={`${classes.note} ${classes.quiet}`}>
      {isWhole
        ? t('Translated over {language}, because no model here knows both languages. Meaning can be lost on the way.', {
            language: languageName(via),
          })
        : t(
            'Some lines were translated over {language}, because no model here knows both languages. Meaning can be lost on the way.',
            { language: languageName(via) },
          )}
    </p>
  )
}
