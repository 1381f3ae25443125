import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { TranscriptTimeline } from './transcript-timeline.tsx'

const pashto = makeSegment('وسله کور ته راوړه', { start: 1, end: 3, unsure: ['وسله'] })
const certain = makeSegment('my brother is here', { start: 4, end: 6, speaker: 'Speaker B', channel: 1 })
const doubtful = makeSegment('to the bridge', { start: 20, end: 22, speaker: 'Speaker B', channel: 1, confidence: 0.3 })
const gap = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14.2, channel: 1 }

function show(transcription: TranscriptionResult, seek = vi.fn()) {
  const { user } = renderAt(
    '/transcribe',
    withPlayer(<TranscriptTimeline transcription={transcription} />, makePlayer(seek)),
  )
  return { user, seek }
}

const list = () => screen.getByRole('list', { name: 'Transcript Timeline' })
const rows = () => within(list()).getAllByRole('listitem')
const onlyUncertain = () => screen.getByRole('switch', { name: /^Only uncertain lines/ })

describe('uncertain words', () => {
  it('are marked with their confidence, without repeating the text', () => {
    show(makeTranscript([pashto, certain]))
    const word = within(list()).getByText('وسله')
    expect(word).toHaveAttribute('title', 'Uncertain: confidence 20%')
    const text = word.parentElement
    expect(text).toHaveTextContent(/^وسله کور ته راوړه$/)
    expect(text).toHaveAttribute('dir', 'rtl')
    expect(screen.getByText('1 uncertain word')).toBeInTheDocument()
    expect(screen.getByText('words are uncertain', { exact: false })).toBeVisible()
  })

  it('include all words of a line that is uncertain as a whole', () => {
    show(makeTranscript([doubtful]))
    expect(within(list()).getByText('to the bridge')).toHaveAttribute('title', 'Uncertain: confidence 30%')
  })

  it('are not marked in a transcript without confidences', () => {
    const { confidence: _, words: __, ...old } = certain
    show(makeTranscript([old]))
    expect(list()).toHaveTextContent('my brother is here')
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByText(/uncertain/)).toBeNull()
  })
})

describe('the switch', () => {
  it('shows only the uncertain lines and the gaps, and counts them', async () => {
    const { user } = show(makeTranscript([pashto, certain, doubtful], { warnings: [gap] }))
    expect(rows()).toHaveLength(4)
    expect(onlyUncertain()).toHaveAccessibleName('Only uncertain lines (3)')
    await user.click(onlyUncertain())
    expect(rows()).toHaveLength(3)
    expect(list()).not.toHaveTextContent('my brother')
  })

  it('works together with the search', async () => {
    const { user } = show(makeTranscript([pashto, certain, doubtful]))
    await user.click(onlyUncertain())
    await user.type(screen.getByRole('textbox', { name: 'Search the transcript' }), 'Bridge')
    expect(rows()).toHaveLength(1)
    await user.clear(screen.getByRole('textbox'))
    await user.type(screen.getByRole('textbox'), 'brother')
    expect(screen.getByText('No uncertain line holds “brother”.')).toBeVisible()
    await user.click(onlyUncertain())
    expect(rows()).toHaveLength(1)
  })

  it('is disabled where no line is uncertain', () => {
    show(makeTranscript([certain]))
    expect(onlyUncertain()).toBeDisabled()
    expect(screen.queryByText(/words are uncertain/)).toBeNull()
  })
})

describe('a passage that was not understood', () => {
  it('is listed in order of time with its speaker, and seeks', async () => {
    const { user, seek } = show(makeTranscript([pashto, certain, doubtful], { warnings: [gap] }))
    const row = within(rows()[2] ?? list()).getByRole('button', { name: /Not understood/ })
    expect(row).toHaveTextContent('0:10 – 0:14')
    expect(within(row).getByTitle('Right Channel')).toHaveTextContent('B')
    expect(row).toHaveAccessibleDescription('The model repeated itself.')
    await user.click(row)
    expect(seek).toHaveBeenCalledWith(10)
  })
})

describe('a line in a language of its own', () => {
  it('has its own direction and language mark', () => {
    show(makeTranscript([makeSegment('good morning', { language: 'en' }), pashto]))
    const line = within(list()).getByText('good morning', { exact: false })
    expect(line).toHaveAttribute('lang', 'en')
    expect(line).toHaveAttribute('dir', 'ltr')
    expect(within(line).getByTitle('Language of this line')).toHaveTextContent('English')
    expect(within(list()).getAllByTitle('Language of this line')).toHaveLength(1)
  })
})
