import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Isolated } from './isolated.tsx'

function markup(name: string): string {
  const { container } = render(<Isolated>{name}</Isolated>)
  return container.innerHTML
}

test('a file name is isolated, and in it each part that runs right to left', () => {
  const name = '1168_پشاور_2026-10-01.mp3'
  expect(markup(name)).toBe('<bdi>1168_<bdi>پشاور</bdi>_2026-10-01.mp3</bdi>')
  expect(screen.getByText((_, element) => element?.matches('div > bdi') ?? false)).toHaveTextContent(name)
})

test('a name of letters of both directions is one text of its own direction', () => {
  expect(markup('احمد شاه (Kandahar)')).toBe('<bdi>احمد شاه (Kandahar)</bdi>')
})

test('what renders the parts knows where they begin', () => {
  render(<Isolated renderPart={(part, start) => <i title={String(start)}>{part}</i>}>{'7_پشاور_8.wav'}</Isolated>)
  expect(screen.getByTitle('2')).toHaveTextContent('پشاور')
  expect(screen.getByTitle('7')).toHaveTextContent('_8.wav')
})
