import { t } from '#contract/texts/t.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import classes from './language-mark.module.css'

/** The name of a line's own language, beside its text. */
export function LanguageMark({ language }: { language: string }) {
  return (
    <span className={classes.language} lang="en" dir="ltr" title={t('Language of this line')}>
      {languageName(language)}
    </span>
  )
}
