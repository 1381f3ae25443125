import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import classes from './language-mark.module.css'

/** The name of a line's own language, beside its text. */
export function LanguageMark({ language }: { language: string }) {
  const shown = currentLanguage()
  return (
    <span
      className={classes.language}
      lang={shown}
      dir={interfaceLanguages[shown].direction}
      title={t('Language of this line')}
    >
      {languageName(language)}
    </span>
  )
}
