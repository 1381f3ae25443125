import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { translationLanguages } from '#contract/languages.ts'
import {
  interfaceLanguages,
  InterfaceLanguageCode,
  languageCookie,
  localeOf,
} from '#contract/texts/interface-languages.ts'
import { createTestTranslator, type TestTranslator, type LocatorText } from '#testing/translated-text.ts'

/** The language of the interface in the browsers of this run: AWAZ_TEST_LANGUAGE, by default English. */
const language = InterfaceLanguageCode.parse(process.env['AWAZ_TEST_LANGUAGE'] || 'en')

/** Whether the run shows the pages in the language of the source texts. */
export const isEnglish = language === 'en'

const translator: TestTranslator = loadTranslator()
const { find } = translator

/** Returns an English text as this run shows it, for typing or comparing; locators translate by themselves. */
export const { translate } = translator

/** The key that moves to the next control in a row. */
export const nextArrowKey = interfaceLanguages[language].direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'

/** Returns a pattern that finds what a string or regular expression finds in English. For filters, which mostly look for speech. */
export const translatePattern = find

function loadTranslator(): TestTranslator {
  if (isEnglish) return { translate: String, find: (wanted) => wanted }
  const file = join(import.meta.dirname, `../../server/contract/texts/${language}.json`)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const names = new Intl.DisplayNames(localeOf(language), { type: 'language' })
  const languageNames = Object.entries(translationLanguages).map(([code, { name }]) => [name, names.of(code) ?? name])
  return createTestTranslator({ ...texts, ...Object.fromEntries(languageNames) }, localeOf(language))
}

/** Returns a text with its digits replaced by 0 to 9. */
export function withLatinDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}

/** Makes every new context of a browser use this language; its locators translate the English that they are given. */
export function openInLanguage(browser: Browser): void {
  if (isEnglish) return
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options: BrowserContextOptions = {}) => {
    const context = await newContext({ locale: localeOf(language), ...options })
    const cookie = { name: languageCookie, value: language, path: '/' }
    await context.addCookies(['127.0.0.1', 'localhost'].map((domain) => ({ ...cookie, domain })))
    context.on('page', translateLocators)
    return context
  }
  browser.newPage = async (options) => (await browser.newContext(options)).newPage()
}

type Method = (this: unknown, wanted: unknown, options?: { exact?: boolean; name?: LocatorText }) => unknown
const textMethods = ['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle', 'getByAltText']
const translated = new WeakSet<object>()

/** Playwright has no extension point for locators: the methods of all pages and locators are replaced. */
function translateLocators(page: Page): void {
  for (const each of [page, page.locator('html')]) {
    const methods = Object.getPrototypeOf(each) as Record<string, Method>
    if (translated.has(methods)) continue
    translated.add(methods)
    for (const name of textMethods) {
      replace(methods, name, (method) => {
        return function translate(wanted, options) {
          return method.call(this, find(wanted as LocatorText, options?.exact), options)
        }
      })
    }
    replace(methods, 'getByRole', (method) => {
      return function translate(role, options) {
        if (options?.name === undefined) return method.call(this, role, options)
        return method.call(this, role, { ...options, name: find(options.name, options.exact) })
      }
    })
  }
}

function replace(methods: Record<string, Method>, name: string, wrap: (method: Method) => Method): void {
  const method = methods[name]
  if (!method) throw new Error(`Playwright has no ${name}`)
  methods[name] = wrap(method)
}
