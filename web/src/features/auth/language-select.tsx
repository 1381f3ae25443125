import { NativeSelect } from '@mantine/core'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { parseInterfaceLanguage } from '#contract/texts/interface-languages.ts'
import { chooseLanguage, languageChoices } from '../../shared/texts/choose-language.ts'
import classes from './auth.module.css'

/** The language of the interface, for who cannot read this page yet: each one in its own words. */
export function LanguageSelect() {
  return (
    <NativeSelect
      size="xs"
      variant="unstyled"
      className={classes.language}
      aria-label={t('Language of the interface')}
      data={languageChoices}
      value={currentLanguage()}
      onChange={({ currentTarget }) => {
        const language = parseInterfaceLanguage(currentTarget.value)
        if (language) chooseLanguage(language)
      }}
    />
  )
}
