import { render, screen } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DirectionalText, readingDirection, readsAgainstPage } from './directional-text.tsx'

it.each([
  ['سلام زما ملګریه', 'ps', 'rtl', 'ps'],
  ['where اندېښمن دي', 'ps', 'rtl', 'ps'],
  ['hello my brother', 'ps', 'auto', null],
  ['12:30', 'ps', 'rtl', 'ps'],
  ['hello my brother', 'en', 'ltr', 'en'],
  ['سلام', 'en', 'auto', null],
  ['سلام', 'auto', 'auto', null],
  ['سلام', 'multi', 'auto', null],
  ['سلام', null, 'auto', null],
])('%s in a text of %s stands %s', (text, language, direction, lang) => {
  render(
    <MantineProvider env="test">
      <DirectionalText language={language}>{text}</DirectionalText>
    </MantineProvider>,
  )
  expect(screen.getByText(text)).toHaveAttribute('dir', direction)
  expect(screen.getByText(text).getAttribute('lang')).toBe(lang)
})

it('marked-up text goes by what it says', () => {
  render(
    <MantineProvider env="test">
      <DirectionalText language="ps" plainText="hello brother">
        <b>hello</b> brother
      </DirectionalText>
    </MantineProvider>,
  )
  expect(screen.getByText('brother')).toHaveAttribute('dir', 'auto')
})

it.each([
  ['ps', 'سلام', 'rtl'],
  ['ps', 'hello', 'ltr'],
  ['ps', '12:30', 'rtl'],
  ['en', 'سلام', 'rtl'],
  [null, '7: سلام hello', 'rtl'],
  [null, '7: hello سلام', 'ltr'],
  [null, '', 'ltr'],
] as const)('of the language %s, %j is read %s', (language, text, direction) => {
  expect(readingDirection(language, text)).toBe(direction)
})

it.each([
  ['en', 'سلام', true],
  ['en', 'hello', false],
  ['fa', 'سلام', false],
  ['fa', 'hello', true],
] as const)('on a page in %s, %j against the direction of the page: %s', (page, text, isAgainst) => {
  vi.stubGlobal('awazTexts', { language: page, texts: {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(readsAgainstPage(null, text)).toBe(isAgainst)
})
