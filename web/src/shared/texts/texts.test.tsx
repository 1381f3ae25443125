import { render } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileText as compileAtRuntime } from '#contract/texts/compile-text.ts'
import type { InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import { t } from '#contract/texts/t.ts'
import { formatClockRange, leftToRight } from '../format.ts'
import { displayLocale, storeDisplay } from './locale.ts'
import { rich } from './rich.tsx'
import { translateSentence } from '#contract/texts/translate-sentence.ts'

type Nodes = Parameters<typeof JSON.stringify>[0]

/** Loads texts as the page's script does: keyed by the compiled English text. */
function loadTexts(language: InterfaceLanguageCode, texts: [english: Nodes, text: Nodes][] = []) {
  const entries = texts.map(([english, text]) => [
    typeof english === 'string' ? english : JSON.stringify(english),
    text,
  ])
  vi.stubGlobal('awazTexts', { language, texts: Object.fromEntries(entries) })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const lines = ['count', 2, { one: [0, ' line'], other: [0, ' lines'] }]

describe('a text of the interface', () => {
  it('is compiled by the build, which leaves the compiler out', () => {
    expect(compileAtRuntime('{left}')).toBe('{left}')
    expect(t('{count, plural, one {# line} other {# lines}}', { count: 2000 })).toBe('2,000 lines')
    expect(t("Don't stop {name}", { name: 'now' })).toBe("Don't stop now")
  })

  it('is the English one where the language lacks it', () => {
    loadTexts('fa')
    expect(t('{count, plural, one {# line} other {# lines}}', { count: 1 })).toBe('1 line')
  })

  it('has the plural forms of its language', () => {
    const arabic = ['count', 2, { one: 'سطر واحد', two: 'سطران', few: [0, ' أسطر'], other: [0, ' سطر'] }]
    loadTexts('ar', [[[lines], [arabic]]])
    const counted = [1, 2, 100].map((count) => t('{count, plural, one {# line} other {# lines}}', { count }))
    expect(counted).toEqual(['سطر واحد', 'سطران', expect.stringMatching(/ سطر$/)])
  })

  it('puts elements where the language wants them', () => {
    loadTexts('fa', [
      [
        ['Read the ', ['a', 'documentation'], ' of ', ['name'], '.'],
        [['name'], ': ', ['a', 'مستندات']],
      ],
    ])
    const text = rich('Read the <a>documentation</a> of {name}.', {
      a: (children) => <a href="/docs">{children}</a>,
      name: <b>Awaz</b>,
    })
    const { container } = render(<p>{text}</p>)
    expect(container.innerHTML).toBe('<p><b>Awaz</b>: <a href="/docs">مستندات</a></p>')
  })
})

describe('a sentence of the server', () => {
  it('is found as it stands, and by what surrounds its values', () => {
    loadTexts('fa', [
      ['Case not found', 'پرونده یافت نشد'],
      [
        ['You need ', ['1'], ' privileges to access this page.'],
        ['برای این صفحه دسترسی ', ['1'], ' لازم است.'],
      ],
    ])
    expect(translateSentence('Case not found')).toBe('پرونده یافت نشد')
    expect(translateSentence('You need admin privileges to access this page.')).toBe(
      'برای این صفحه دسترسی \u2066admin\u2069 لازم است.',
    )
    expect(translateSentence('Something new')).toBe('Something new')
  })

  it('keeps a command in one piece with what follows it', () => {
    loadTexts('fa', [
      [
        ['Make a new one (', ['1'], ' backup).'],
        ['تازه بسازید (', ['1'], ' backup).'],
      ],
    ])
    expect(translateSentence('Make a new one (npm run awaz -- backup).')).toBe(
      'تازه بسازید (\u200Enpm run awaz -- backup).',
    )
  })

  it('of the server has amounts within it, in the plural of its language', () => {
    const days = ['1', 2, { two: [0, ' يومان'], few: [0, ' أيام'], other: [0, ' يوم'] }]
    loadTexts('ar', [
      [[['1', 4], ' days'], [days]],
      [
        ['Full in ', ['1']],
        ['يمتلئ خلال ', ['1']],
      ],
    ])
    expect(translateSentence('Full in 3 days')).toMatch(/^يمتلئ خلال \S+ أيام$/)
    expect(translateSentence('Full in some days')).toBe('يمتلئ خلال \u2066some days\u2069')
  })

  it('of the server has fractions within it, and lists that are cut short', () => {
    loadTexts('fa', [
      [
        [['1', 4], ' recordings'],
        [['1', 4], ' ضبط'],
      ],
      [
        [['1', 4], ' GB'],
        [['1', 4], ' گیگابایت'],
      ],
      [
        [['1'], ' and others'],
        [['1'], ' و دیگران'],
      ],
      [
        ['The sound of ', ['1'], ' (', ['2'], ') is missing.'],
        ['صدای ', ['1'], ' (', ['2'], ') وجود ندارد.'],
      ],
      [
        [['1'], ' are free.'],
        [['1'], ' آزاد است.'],
      ],
    ])
    expect(translateSentence('The sound of 6 recordings (a1, b2 and others) is missing.')).toMatch(
      /^صدای [6۶] ضبط \(\u2066a1, b2\u2069 و دیگران\) وجود ندارد\.$/,
    )
    expect(translateSentence('1.5 GB are free.')).toMatch(/^(?:1\.5|۱٫۵) گیگابایت آزاد است\.$/)
  })
})

describe('figures and dates', () => {
  it('are those of Dari where the browser knows no Pashto, as Chromium does not', () => {
    vi.spyOn(Intl.NumberFormat, 'supportedLocalesOf').mockReturnValue([])
    loadTexts('ps')
    expect(displayLocale()).toBe('fa-AF-u-ca-persian-nu-arabext')
  })

  it.each([
    ['en', undefined, 'en-GB-u-ca-gregory-nu-latn'],
    ['fa', undefined, 'fa-u-ca-persian-nu-arabext'],
    ['ur', undefined, 'ur-u-ca-gregory-nu-latn'],
    ['ar', { digits: 'latin', calendar: 'islamic-umalqura' }, 'ar-u-ca-islamic-umalqura-nu-latn'],
  ] as const)('follow the language %s and the choices %j', (language, choices, locale) => {
    loadTexts(language)
    if (choices) storeDisplay(choices)
    expect(displayLocale()).toBe(locale)
  })
})

it('a range of times runs from left to right in a text from right to left', () => {
  expect(formatClockRange(7, 12)).toBe('0:07 – 0:12')
  loadTexts('fa')
  expect(formatClockRange(7, 12)).toBe('\u20660:07 – 0:12\u2069')
  expect(leftToRight('2.7 GB')).toBe('\u20662.7 GB\u2069')
  expect(formatClockRange(7, 7.5)).toBe('0:07')
})
