import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render as renderBare, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Segment, TranscriptionProgress } from '#contract/transcription.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRunningJob } from '../../../testing/transcripts.ts'
import { PartialLines } from './partial-lines.tsx'
import { TranscriptionJobProgress } from './transcription-job-progress.tsx'

const left: Segment = { start: 1, end: 3, text: 'سلام ورور', speaker: 'Speaker A', channel: 0 }
const right: Segment = { start: 4, end: 6, text: 'good morning', speaker: 'Speaker B', channel: 1 }
const later: Segment = { start: 70, end: 72, text: 'والله ما أدري', speaker: 'Speaker B', channel: 1, language: 'ar' }

function show(progress: Partial<TranscriptionProgress>) {
  const job = makeRunningJob({
    current_segment: 1,
    total_segments: 3,
    detected_language: 'ps',
    language_probability: null,
    latest_segment: null,
    partial_text: 'سلام ورور',
    partial_segments: [],
    ...progress,
  })
  const selected = { language: 'ps', rightLanguage: 'en' }
  renderAt('/transcribe', <TranscriptionJobProgress job={job} initialText="…" selected={selected} />)
}

function wrapper({ children }: { children: ReactNode }) {
  return <MantineProvider env="test">{children}</MantineProvider>
}

afterEach(() => vi.useRealTimers())

describe('the text so far', () => {
  it('is shown in lines with time, speaker, direction and language', () => {
    show({ partial_segments: [left, right, later] })
    const lines = within(screen.getByRole('region', { name: 'Lines so far' })).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent)).toEqual([
      '0:01Aسلام ورور',
      '0:04Bgood morning',
      '1:10Bوالله ما أدري Arabic',
    ])
    expect(screen.getByText('سلام ورور')).toHaveAttribute('dir', 'rtl')
    expect(screen.getByText('good morning')).toHaveAttribute('lang', 'en')
    expect(screen.getByText('والله ما أدري', { exact: false })).toHaveAttribute('lang', 'ar')
  })

  it('is shown as a whole where the engine reports no lines', () => {
    show({})
    expect(screen.getByText('سلام ورور')).toHaveAttribute('lang', 'ps')
    expect(screen.queryByRole('region', { name: 'Lines so far' })).toBeNull()
  })
})

describe('new lines', () => {
  const languageOf = () => 'en'
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...right, start: index, end: index + 1, text: `line ${index}` }))

  /** Rows are 20 pixels high, the box shows 100. */
  function measure() {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(20)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100)
    vi.spyOn(HTMLElement.prototype, 'offsetTop', 'get').mockImplementation(function (this: HTMLElement) {
      return [...(this.parentElement?.children ?? [])].indexOf(this) * 20
    })
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return this.querySelectorAll('li').length * 20
    })
  }

  function arrive(count: number) {
    return <PartialLines lines={lines(count)} latest={null} languageOf={languageOf} />
  }

  it('are scrolled into view until the reader scrolls up, and again from the end on', () => {
    measure()
    const { rerender } = renderBare(arrive(10), { wrapper })
    const render = (count: number) => rerender(arrive(count))
    const box = screen.getByRole('region', { name: 'Lines so far' })
    expect(box.scrollTop).toBeGreaterThanOrEqual(100)
    box.scrollTop = 20
    fireEvent.scroll(box)
    render(20)
    expect(box.scrollTop).toBe(20)
    box.scrollTop = 300
    fireEvent.scroll(box)
    render(30)
    expect(box.scrollTop).toBeGreaterThanOrEqual(500)
  })

  it('are scrolled into view between others too', () => {
    measure()
    const all = lines(40)
    const { rerender } = renderBare(arrive(40), { wrapper })
    const box = screen.getByRole('region', { name: 'Lines so far' })
    rerender(<PartialLines lines={all} latest={all[3] ?? null} languageOf={languageOf} />)
    expect(box.scrollTop).toBeLessThanOrEqual(60)
  })

  it('are announced to screen readers by their number, not one by one', () => {
    vi.useFakeTimers()
    renderAt('/', arrive(3))
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    act(() => vi.advanceTimersByTime(20_000))
    expect(screen.getByRole('status')).toHaveTextContent('3 lines so far')
    expect(screen.getByRole('region').closest('[aria-live]')).toBeNull()
  })
})
