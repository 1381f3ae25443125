import { interfaceLanguages, languageCookie, type InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import { t } from '#contract/texts/t.ts'

const yearSeconds = 365 * 24 * 3600

/** The languages of the interface for a menu, each in its own words. */
export const languageChoices = Object.entries(interfaceLanguages).map(([value, { name, isMachineWritten }]) => ({
  value: value as InterfaceLanguageCode,
  label: isMachineWritten ? t('{language} · machine-written', { language: name }) : name,
}))

/** Remembers the language in a cookie, which the server reads, and loads the page in it. */
export function chooseLanguage(language: InterfaceLanguageCode): void {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}
