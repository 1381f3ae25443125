import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { noKeywords, type Keywords } from '#contract/keywords/keywords.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { downloadFile } from '../../../shared/download.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makeMonoCall, renderWithSpeakers } from '../../../testing/mono-call.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { AnalysisPanel } from './analysis-panel.tsx'

vi.mock('../../../shared/download.ts', { spy: true })

const recording = makeRecording(makeTranscript([makeSegment('the bomb is here')], { detected_language: 'en' }))
const translation: TranslationResult = {
  translated_text: 'bomb and bomb',
  original_text: 'the bomb is here',
  source_language: 'en',
  target_language: 'ps',
  num_speakers: 1,
  speaker_translations: [],
  segments: [],
  model: 'test',
}

beforeEach(() => {
  vi.mocked(downloadFile).mockReset()
})

function storeKeywords(keywords: Partial<Keywords>) {
  localStorage.setItem(`awaz_keywords:${someUser.id}`, JSON.stringify({ ...noKeywords(), ...keywords }))
}

function show(
  { translated = null }: { translated?: TranslationResult | null } = {},
  shown: RecordingDetails = recording,
) {
  fakeServer({ 'GET /api/auth/keywords': () => failure(503, 'Away') })
  return renderAt('/transcribe', <AnalysisPanel recording={shown} translation={translated} />, someUser)
}

const region = (name: string) => within(screen.getByRole('region', { name: `Keywords in the ${name}` }))
const countOf = (category: string) => screen.getByText(category, { selector: 'dt' }).nextElementSibling

it('marks and counts the keywords of the transcript', () => {
  storeKeywords({ threats: ['bomb'] })
  show()
  expect(region('transcription').getByText('bomb')).toHaveAttribute('data-category', 'threats')
  expect(region('transcription').getByText(/1 match$/)).toBeVisible()
  expect(countOf('Threats')).toHaveTextContent('1')
  expect(countOf('Custom')).toHaveTextContent('0')
})

it('shows the text unmarked where no keyword is found', () => {
  storeKeywords({ custom: ['bridge'] })
  show()
  expect(region('transcription').getByText(/0 matches/)).toBeVisible()
  expect(region('transcription').getByText('the bomb is here')).toBeVisible()
})

it('shows that a transcript has no text', () => {
  show({}, makeRecording(makeTranscript([], { transcription: '' })))
  expect(region('transcription').getByText('No text')).toBeVisible()
})

it('uses the keywords stored in this browser while the server cannot be reached', async () => {
  storeKeywords({ intent: ['bomb'] })
  show()
  expect(await region('transcription').findByText('bomb')).toHaveAttribute('data-category', 'intent')
})

describe('the choice of texts', () => {
  it('limits the analysis to one of them', async () => {
    storeKeywords({ threats: ['bomb'] })
    const { user } = show({ translated: translation })
    expect(countOf('Threats')).toHaveTextContent('3')
    await user.click(screen.getByRole('radio', { name: 'Translation Only' }))
    expect(screen.queryByRole('region', { name: 'Keywords in the transcription' })).toBeNull()
    expect(countOf('Threats')).toHaveTextContent('2')
  })

  it('shows that there is no translation', async () => {
    const { user } = show()
    await user.click(screen.getByRole('radio', { name: 'Translation Only' }))
    expect(screen.getByText('No translation available')).toBeVisible()
  })
})

it('exports the counts', async () => {
  storeKeywords({ threats: ['bomb'] })
  const { user } = show({ translated: translation })
  await user.click(screen.getByRole('button', { name: 'Export JSON' }))
  const [name, content] = vi.mocked(downloadFile).mock.calls[0] ?? []
  expect(name).toBe('call-analysis.json')
  expect(JSON.parse(String(content))).toMatchObject({ stats: { totals: { threats: 3, total: 3 } } })
})

it('collapses and expands', async () => {
  const { user } = show()
  await user.click(screen.getByRole('button', { name: 'Collapse' }))
  expect(screen.getByRole('button', { name: 'Expand' })).toHaveAttribute('aria-expanded', 'false')
})

it('shows who says a keyword', async () => {
  storeKeywords({ custom: ['bridge'] })
  const { user } = renderWithSpeakers(makeMonoCall(), (shown) => (
    <AnalysisPanel recording={shown.recording} translation={null} />
  ))
  await user.hover(await screen.findByText('bridge'))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Custom: bridge · Speaker C')
})
