import { interfaceLanguages, languageCookie, type InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import { t } from '#contract/texts/t.ts'

const yearSeconds = 365 * 24 * 3600

/** The languages of the interface for a menu, each under its own name. */
export const languageChoices = Object.entries(interfaceLanguages).map(([value, { name, isMachineWritten }]) => ({
  value: value as InterfaceLanguageCode,
  label: isMachineWritten ? t('{language} · machine-written', { language: name }) : name,
}))

/** Stores the language in a cookie, which the server reads, and reloads the page in that language. */
export function chooseLanguage(language: InterfaceLanguageCode): void {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}
