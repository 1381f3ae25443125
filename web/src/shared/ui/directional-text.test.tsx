import { render, screen } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { expect, it } from 'vitest'
import { DirectionalText } from './directional-text.tsx'

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
