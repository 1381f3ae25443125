import { parseInterfaceLanguage } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { chooseLanguage, languageChoices } from '../../shared/texts/choose-language.ts'
import classes from './auth.module.css'

/** The language of the interface, for a reader who cannot read this page yet: each one in its own words. */
export function LanguageSelect() {
  return (
    <select
      className={classes.language}
      aria-label={t('Language of the interface')}
      value={currentLanguage()}
      onChange={({ currentTarget }) => {
        const language = parseInterfaceLanguage(currentTarget.value)
        if (language) chooseLanguage(language)
      }}
    >
      {languageChoices.map(({ value, label }) => (
        <option key={value} value={value} lang={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
