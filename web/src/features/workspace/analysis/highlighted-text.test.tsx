import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { renderAt } from '../../../testing/render.tsx'
import { analyse } from './analysis.ts'
import { HighlightedText } from './highlighted-text.tsx'

it('marks a word that only sounds like a keyword differently from an exact match', async () => {
  const keywords = { ...noKeywords(), threats: ['weapon'], sounds_like: ['weapon'] }
  const transcription = { text: 'a weapon and a wepon', language: 'en' }
  const [entry] = analyse(keywords, { transcription, translation: null }, 'both')
  if (!entry) throw new Error('There is a transcription.')
  const { user } = renderAt('/transcribe', <HighlightedText entry={entry} />)
  expect(screen.getByText(/2 matches, 1 by sound/)).toBeVisible()
  expect(screen.getByText('weapon')).not.toHaveAttribute('data-similar')
  expect(screen.getByText('wepon')).toHaveAttribute('data-similar', 'true')
  await user.hover(screen.getByText('wepon'))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Threats: sounds like weapon')
})
