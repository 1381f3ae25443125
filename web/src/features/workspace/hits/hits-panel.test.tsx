import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { editing } from '#contract/endpoints/editing.ts'
import type { RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'
import { noKeywords, type Keywords } from '#contract/keywords/keywords.ts'
import { TestDesk } from '../../../testing/desk.tsx'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { HitsPanel } from './hits-panel.tsx'
import { useHitNavigation } from './use-hit-navigation.ts'

const segments = [
  makeSegment('the bomb is here', { start: 5, end: 9, words: [] }),
  makeSegment('bring the money', { start: 20, end: 24, speaker: 'Speaker B', channel: 1, words: [] }),
  makeSegment('no money no bomb', { start: 40, end: 44, words: [] }),
]
const recording = makeRecording(makeTranscript(segments, { detected_language: 'en' }))
const translation: StoredTranslation = {
  translated_text: 'بم دلته دی',
  original_text: 'the bomb is here',
  source_language: 'en',
  target_language: 'ps',
  num_speakers: 1,
  speaker_translations: [],
  segments: [{ start: 5, end: 9, text: 'the bomb is here', translated_text: 'بم دلته دی', error: null }],
  model: 'test',
  transcription_id: recording.transcription_id,
}

beforeEach(() => {
  // The list renders only what fits its height, and happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
})

interface ShowOptions {
  keywords?: Partial<Keywords>
  shown?: RecordingDetails
  translated?: StoredTranslation | null
  refuse?: boolean
}

function Keys() {
  const { next, previous } = useHitNavigation()
  return (
    <>
      <button type="button" onClick={next}>
        N
      </button>
      <button type="button" onClick={previous}>
        P
      </button>
    </>
  )
}

function show(options: ShowOptions = {}) {
  const { shown = recording, translated = null, refuse = false } = options
  const keywords = options.keywords ?? { threats: ['bomb', 'بم'], intent: ['money'] }
  localStorage.setItem(`awaz_keywords:${someUser.id}`, JSON.stringify({ ...noKeywords(), ...keywords }))
  const reviewed = new Set<string>()
  fakeServer({
    'GET /api/auth/keywords': () => failure(503, 'Away'),
    [`GET /api/recordings/${recording.id}/notes`]: () => ({ body: { notes: [] } }),
    [`GET /api/recordings/${recording.id}/reviewed-hits`]: () => ({ body: { reviewed: [...reviewed] } }),
    [`GET /api/recordings/${recording.id}/possible-hits`]: () => ({
      body: { transcription_id: null, is_searched: true, hits: [] },
    }),
    [`PUT /api/recordings/${recording.id}/reviewed-hits`]: ({ body }) => {
      if (refuse) return failure(503, 'Away')
      const { hits, is_reviewed } = editing.reviewHit.body.parse(body)
      for (const key of hits) reviewed[is_reviewed ? 'add' : 'delete'](key)
      return { body: { reviewed: [...reviewed] } }
    },
  })
  const seek = vi.fn<(seconds: number) => void>()
  const play = vi.fn<() => void>()
  const player = { ...makePlayer(seek), toggle: play }
  const { user } = renderAt(
    '/transcribe',
    withPlayer(
      <TestDesk recording={shown} translation={translated}>
        <HitsPanel />
        <Keys />
      </TestDesk>,
      player,
    ),
    someUser,
  )
  return { user, seek, play, reviewed }
}

const rows = () => within(screen.getByRole('list', { name: 'Hits' })).getAllByRole('listitem')
const row = async (name: RegExp) => await screen.findByRole('button', { name })
const category = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })

describe('Intelligence Analysis', () => {
  it('lists the hits by time, with who says them and in which sentence', async () => {
    show()
    expect(await row(/^0:05 A bomb Threats the bomb is here/)).toBeVisible()
    expect(rows().map((item) => item.querySelector('mark')?.textContent)).toEqual(['bomb', 'money', 'money', 'bomb'])
    expect(category('Threats')).toHaveTextContent('2')
    expect(category('Custom')).toHaveTextContent('0')
  })

  it('shows both languages of a hit and counts it once', async () => {
    const { user } = show({ translated: translation })
    const first = await row(/the bomb is here/)
    expect(within(first).getByText('بم')).toHaveAttribute('data-category', 'threats')
    expect(category('Threats')).toHaveTextContent('2')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Texts to scan' }), 'Translation Only')
    expect(category('Threats')).toHaveTextContent('1')
    expect(screen.queryByText('the', { exact: false, selector: 'mark' })).toBeNull()
  })

  it('offers both texts or one of them, and the four categories', () => {
    show()
    const texts = screen.getByRole('combobox', { name: 'Texts to scan' })
    expect(texts).toHaveDisplayValue('Both Texts')
    expect(
      within(texts)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Both Texts', 'Transcription Only', 'Translation Only'])
    const categories = within(screen.getByRole('group', { name: 'Categories' })).getAllByRole('button')
    expect(categories.map(({ textContent }) => textContent)).toEqual(['Threats2', 'Sentiment0', 'Intent2', 'Custom0'])
  })

  it('limits the list to a category by its count', async () => {
    const { user } = show()
    await user.click(category('Intent'))
    expect(category('Intent')).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(rows()).toHaveLength(2))
    await user.click(category('Intent'))
    await waitFor(() => expect(rows()).toHaveLength(4))
  })

  it('says who says a keyword when it is pointed at', async () => {
    const { user } = show()
    const first = await row(/the bomb is here/)
    await user.hover(within(first).getByText('bomb', { selector: 'mark' }))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Threats: bomb · Speaker A')
  })

  it('exports the counts', async () => {
    const downloads = captureDownloads()
    const { user } = show({ translated: translation })
    await row(/the bomb is here/)
    await user.click(screen.getByRole('button', { name: 'Export JSON' }))
    expect(downloads).toMatchObject([{ name: 'call-analysis.json' }])
    expect(JSON.parse((await downloads[0]?.content.text()) ?? '')).toMatchObject({
      stats: { totals: { threats: 2, intent: 2, total: 4 } },
    })
  })

  it('collapses and expands', async () => {
    const { user } = show()
    await row(/the bomb is here/)
    await user.click(screen.getByRole('button', { name: 'Collapse' }))
    expect(screen.queryByRole('list', { name: 'Hits' })).toBeNull()
    const expand = screen.getByRole('button', { name: 'Expand' })
    expect(expand).toHaveAttribute('aria-expanded', 'false')
    await user.click(expand)
    expect(rows()).toHaveLength(4)
  })
})

describe('going through the hits', () => {
  it('next and previous go from hit to hit, 2 s before each', async () => {
    const { user, seek } = show()
    await row(/the bomb is here/)
    await user.click(screen.getByRole('button', { name: 'N' }))
    await user.click(screen.getByRole('button', { name: 'Next hit (N)' }))
    await user.click(screen.getByRole('button', { name: 'P' }))
    expect(seek.mock.calls).toEqual([[3], [18], [3]])
  })

  it('next leaves out what the filter hides', async () => {
    const { user, seek } = show()
    await row(/the bomb is here/)
    await user.click(category('Intent'))
    await user.click(screen.getByRole('button', { name: 'N' }))
    expect(seek).toHaveBeenLastCalledWith(18)
  })

  it('plays a hit from 2 s before', async () => {
    const { user, seek, play } = show()
    await row(/the bomb is here/)
    await user.click(screen.getAllByRole('button', { name: 'Play from 2 s before' })[1] ?? document.body)
    expect(seek).toHaveBeenLastCalledWith(18)
    expect(play).toHaveBeenCalledOnce()
  })

  it('has one row in the order of Tab, and moves among them by arrows', async () => {
    const { user } = show()
    const first = await row(/the bomb is here/)
    const second = screen.getByRole('button', { name: /bring the money/ })
    expect(second).toHaveAttribute('tabindex', '-1')
    first.focus()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(second).toHaveFocus())
    await user.keyboard('{Home}')
    await waitFor(() => expect(first).toHaveFocus())
  })
})

describe('reviewing', () => {
  it('marks a hit by key, tells how many are left, and takes it back', async () => {
    const { user, reviewed } = show()
    const first = await row(/the bomb is here/)
    first.focus()
    await user.keyboard('r')
    expect(await screen.findByText('3 of 4 left to review')).toBeVisible()
    await waitFor(() => expect(reviewed.size).toBe(1))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('4 of 4 left to review')).toBeVisible()
    await waitFor(() => expect(reviewed.size).toBe(0))
  })

  it('marks all that are shown, and hides the reviewed ones', async () => {
    const { user, reviewed } = show()
    await row(/the bomb is here/)
    await user.click(category('Intent'))
    await user.click(screen.getByRole('button', { name: 'Mark all shown as reviewed' }))
    expect(await screen.findByText('2 hits marked as reviewed')).toBeVisible()
    await waitFor(() => expect(reviewed.size).toBe(2))
    await user.click(category('Intent'))
    await user.click(screen.getByRole('checkbox', { name: 'Unreviewed only' }))
    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  it('takes the mark off again where the server refused it', async () => {
    const { user } = show({ refuse: true })
    const first = await row(/the bomb is here/)
    first.focus()
    await user.keyboard('r')
    expect(await screen.findByText('Away')).toBeVisible()
    expect(screen.getByText('4 of 4 left to review')).toBeVisible()
  })
})

describe('an empty list', () => {
  it('says what to do before there is a transcript', () => {
    show({ shown: makeRecording(null) })
    expect(screen.getByText(/Start the transcription/)).toBeVisible()
  })

  it('leads to the keywords where none occurs', () => {
    show({ keywords: { custom: ['bridge'] } })
    expect(screen.getByText('No keyword occurs in the text.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Keyword Settings' })).toHaveAttribute('href', '/settings/general')
  })

  it('tells that the built-in lists are in use', () => {
    show({ keywords: {} })
    expect(
      screen.getByText(/the built-in lists in English, Pashto, Urdu, Persian, Dari and Arabic are used/),
    ).toBeVisible()
  })

  it('offers to show what the filters hide', async () => {
    const { user } = show()
    await row(/the bomb is here/)
    await user.click(category('Custom'))
    await user.click(screen.getByRole('button', { name: 'Show all' }))
    expect(await row(/the bomb is here/)).toBeVisible()
  })

  it('says that there is no translation', async () => {
    const { user } = show()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Texts to scan' }), 'Translation Only')
    expect(screen.getByText('No translation available')).toBeVisible()
  })
})
