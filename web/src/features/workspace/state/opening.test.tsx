import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Opening, useIsOpened } from './opening.tsx'

const seen: string[] = []

function Parts() {
  const parts = [useIsOpened('lines') && 'lines', useIsOpened('panels') && 'panels'].filter(Boolean).join(' and ')
  const shown = parts || 'the frame'
  if (seen.at(-1) !== shown) seen.push(shown)
  return shown
}

it('renders the lines after the frame, and the panels after the lines', async () => {
  seen.length = 0
  render(
    <Opening>
      <Parts />
    </Opening>,
  )
  expect(await screen.findByText('lines and panels')).toBeVisible()
  expect(seen).toEqual(['the frame', 'lines', 'lines and panels'])
})

it('renders everything at once outside of an opening desk', () => {
  seen.length = 0
  render(<Parts />)
  expect(seen).toEqual(['lines and panels'])
})
