import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import { TestConversation, type ConversationOptions } from '../../../testing/conversation.tsx'
import { someUser } from '../../../testing/fake-server.ts'
import { makePlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { makeTranslation } from '../../../testing/translations.ts'
import { defaultSettings, type Settings } from '../../../shared/settings.ts'

const pashto = makeSegment('وسله کور ته راوړه', { start: 1, end: 3, unsure: ['وسله'] })
const certain = makeSegment('my brother is here', { start: 4, end: 6, speaker: 'Speaker B', channel: 1 })
const doubtful = makeSegment('to the bridge', { start: 20, end: 22, speaker: 'Speaker B', channel: 1, confidence: 0.3 })
const gap = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14.2, channel: 1 }
const call = makeTranscript([pashto, certain, doubtful], { warnings: [gap] })
const translation = makeTranslation([
  { ...pashto, translated_text: 'bring the weapon home' },
  { ...certain, translated_text: 'my brother is here' },
  { ...doubtful, translated_text: 'to the bridge' },
])

function show(options: Partial<ConversationOptions> = {}) {
  const seek = vi.fn()
  const all = { transcription: call, player: makePlayer(seek), ...options }
  const { user, unmount } = renderAt('/transcribe', <TestConversation {...all} />, someUser)
  return { user, seek, unmount }
}

const list = () => screen.getByRole('list', { name: 'Transcript Timeline' })
const rows = () => within(list()).getAllByRole('listitem')
const row = (index: number) => rows()[index] ?? document.body
const toggle = (name: RegExp | string) => screen.getByRole('button', { name })
const search = () => screen.getByRole('searchbox', { name: 'Search the conversation' })

function store(settings: Partial<Settings>) {
  localStorage.setItem('awaz_settings', JSON.stringify({ ...defaultSettings, ...settings }))
}

describe('a row', () => {
  it('has its times, its speaker and both texts, each in its language and direction', () => {
    show({ translation })
    expect(rows()).toHaveLength(4)
    expect(within(row(0)).getByRole('button', { name: '0:01 – 0:03' })).toHaveTextContent('0:01')
    expect(within(row(0)).getByTitle('Left Channel')).toHaveTextContent('A')
    const original = row(0).querySelector('[lang="ps"]')
    expect(original).toHaveAttribute('dir', 'rtl')
    expect(original).toHaveTextContent(/^وسله کور ته راوړه$/)
    expect(within(row(0)).getByText('bring the weapon home')).toHaveAttribute('lang', 'en')
    expect(row(0)).toHaveAttribute('aria-posinset', '1')
    expect(row(0)).toHaveAttribute('aria-setsize', '4')
  })

  it('seeks when it is clicked, with Enter, and by its time', async () => {
    const { user, seek } = show()
    await user.click(screen.getByText('my brother is here'))
    expect(seek).toHaveBeenLastCalledWith(4)
    await user.keyboard('{ArrowUp}{Enter}')
    expect(seek).toHaveBeenLastCalledWith(1)
    await user.click(within(row(3)).getByRole('button', { name: '0:20 – 0:22' }))
    expect(seek).toHaveBeenLastCalledWith(20)
  })

  it('marks uncertain words with their confidence, without repeating the text', () => {
    show()
    expect(within(list()).getByText('وسله')).toHaveAttribute('title', 'Uncertain: confidence 20%')
    expect(screen.getByText('1 uncertain word')).toBeInTheDocument()
    expect(within(list()).getByText('to the bridge')).toHaveAttribute('title', 'Uncertain: confidence 30%')
  })

  it('in another language than its speaker has its own direction and names the language', () => {
    show({ transcription: makeTranscript([makeSegment('good morning', { language: 'en' }), pashto]) })
    const line = within(list()).getByText('good morning', { exact: false })
    expect(line).toHaveAttribute('dir', 'ltr')
    expect(within(list()).getAllByTitle('Language of this line')).toHaveLength(1)
    expect(within(line).getByTitle('Language of this line')).toHaveTextContent('English')
  })

  it('stands for a passage that was not understood, and says why', async () => {
    const { user, seek } = show()
    expect(row(2)).toHaveTextContent('Not understood The model repeated itself.')
    expect(within(row(2)).getByTitle('Right Channel')).toHaveTextContent('B')
    await user.click(row(2))
    expect(seek).toHaveBeenCalledWith(10)
  })

  it('marks what was edited and what others talk over', () => {
    const edits = {
      revision: 1,
      edits: [{ from: [1], lines: [{ start: 4, end: 6, text: 'my mother is here' }], revision: 1 }],
    }
    show({ transcription: makeTranscript([{ ...pashto, overlap: true }, certain]), edits })
    expect(within(row(0)).getByText('talk-over')).toBeVisible()
    expect(within(row(1)).getByText('edited')).toHaveAttribute('title', 'Corrected by hand')
  })

  it('shows the name of a speaker who was given one', () => {
    show({ corrections: { names: { 'Speaker A': 'Gul Khan' }, merged: [], moved: [] } })
    expect(within(row(0)).getByText('Gul Khan')).toBeVisible()
  })
})

describe('the keyboard', () => {
  it('reaches the list with one Tab, moves within it by arrows, Home, End and pages, and leaves it', async () => {
    const { user } = show()
    await user.click(row(0))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(row(2)).toHaveFocus()
    await user.keyboard('{End}')
    expect(row(3)).toHaveFocus()
    await user.keyboard('{Home}')
    expect(row(0)).toHaveFocus()
    await user.keyboard('{PageDown}')
    expect(row(3)).toHaveFocus()
    await user.keyboard('{PageUp}{ArrowUp}')
    expect(row(0)).toHaveFocus()
    expect(rows().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1])
  })

  it('makes only the active row and what is in it reachable by Tab', () => {
    show({ keywords: { intent: ['brother'] } })
    const reachable = [...list().querySelectorAll('li, button, mark')].filter((element) => {
      return element instanceof HTMLElement && element.tabIndex >= 0 && element.ariaHidden !== 'true'
    })
    expect(reachable.every((element) => row(0).contains(element))).toBe(true)
  })
})

describe('keywords', () => {
  const keywords = { threats: ['weapon', 'وسله'], intent: ['brother'], sounds_like: ['brother'] }

  it('are marked in both texts, with a tooltip on hover and on focus that Escape closes', async () => {
    const { user } = show({ translation, keywords })
    const mark = within(row(0)).getByText('weapon')
    expect(mark).toHaveAttribute('data-category', 'threats')
    await user.hover(mark)
    expect(screen.getByRole('tooltip')).toHaveTextContent('Threats: weapon · Left Channel')
    await user.unhover(mark)
    expect(screen.queryByRole('tooltip')).toBeNull()
    await user.click(row(0))
    await user.tab()
    await user.tab()
    expect(within(row(0)).getByText('وسله').closest('mark')).toHaveFocus()
    expect(document.activeElement).toHaveAccessibleDescription('Threats: وسله · Left Channel')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).toBeNull()
  })

  it('that only sound alike are marked as such', async () => {
    const { user } = show({ transcription: makeTranscript([makeSegment('my brothr')]), keywords })
    const mark = within(row(0)).getByText('brothr')
    expect(mark).toHaveAttribute('data-similar', 'true')
    await user.hover(mark)
    expect(screen.getByRole('tooltip')).toHaveTextContent('Intent: sounds like brother')
  })

  it('are not marked where the settings say so', () => {
    store({ transcription: { ...defaultSettings.transcription, highlightKeywords: false } })
    show({ translation, keywords })
    expect(list().querySelector('mark')).toBeNull()
  })
})

describe('a translation', () => {
  const failed = { ...pashto, translated_text: '', error: 'The model repeated the text.' }

  it('that failed shows the error and can be tried again', async () => {
    const retryTranslation = vi.fn()
    const { user } = show({
      translation: makeTranslation([failed, { ...certain, translated_text: 'here' }]),
      desk: { retryTranslation },
    })
    expect(within(row(0)).getByText('Error: The model repeated the text.')).toBeVisible()
    await user.click(within(row(0)).getByRole('button', { name: `Translate the line “${pashto.text}” again` }))
    expect(retryTranslation).toHaveBeenCalledWith({ start: 1, end: 3 })
    expect(within(row(1)).queryByRole('button', { name: /^Translate the line/ })).toBeNull()
  })

  it('of another text is marked and can be made again', () => {
    const edits = {
      revision: 1,
      edits: [{ from: [1], lines: [{ start: 4, end: 6, text: 'my mother is here' }], revision: 1 }],
    }
    show({ translation, edits, desk: { retryTranslation: vi.fn() } })
    expect(within(row(1)).getByText('outdated')).toBeVisible()
    expect(within(row(1)).getByRole('button', { name: 'Translate the line “my mother is here” again' })).toBeVisible()
  })

  it('that a line lacks is said to be missing, but not while it is still to come', () => {
    const partly = makeTranslation([{ ...pashto, translated_text: 'bring the weapon home' }])
    const { unmount } = show({ translation: partly })
    expect(within(row(1)).getByText('No translation available')).toBeVisible()
    const job = makeRunningJob(null, { kind: 'translate', target_language: 'en' })
    unmount()
    show({ translation: partly, desk: { jobs: { translate: job } } })
    expect(within(row(1)).queryByText('No translation available')).toBeNull()
  })

  it('appears line by line while it is made', () => {
    const latest_segment = { ...certain, speaker: 'Speaker B', translated_text: 'mein Bruder ist hier', error: null }
    const progress = { current_segment: 2, total_segments: 3, latest_segment, partial_text: '' }
    const job = makeRunningJob(progress, { kind: 'translate', target_language: 'en' })
    show({ desk: { jobs: { translate: job } } })
    expect(within(row(1)).getByText('mein Bruder ist hier')).toBeVisible()
  })
})

describe('the search', () => {
  it('counts matches in both texts and goes to the next and the one before', async () => {
    const { user } = show({ translation })
    await user.type(search(), 'brother')
    expect(screen.getByText('Match 1 of 2')).toBeInTheDocument()
    expect(list().querySelectorAll('[data-match]')).toHaveLength(2)
    await user.keyboard('{Enter}')
    expect(screen.getByText('Match 2 of 2')).toBeInTheDocument()
    expect(row(1).querySelector('[data-match="current"]')).toHaveTextContent('brother')
    await user.keyboard('{Shift>}{Enter}{/Shift}')
    expect(screen.getByText('Match 1 of 2')).toBeInTheDocument()
    await user.keyboard('{F3}')
    await user.click(screen.getByRole('button', { name: 'Next match' }))
    expect(screen.getByText('Match 1 of 2')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Previous match' }))
    expect(screen.getByText('Match 2 of 2')).toBeInTheDocument()
    expect(rows()).toHaveLength(4)
  })

  it('finds Arabic letters in other spellings and Latin ones without accents', async () => {
    const spelled = makeTranscript([
      makeSegment('پيسې كور', { start: 1 }),
      makeSegment('Lübeck', { start: 2, language: 'en' }),
    ])
    const { user } = show({ transcription: spelled })
    await user.type(search(), 'پیسی کور')
    expect(screen.getByText('Match 1 of 1')).toBeInTheDocument()
    await user.clear(search())
    await user.type(search(), 'lubeck')
    expect(screen.getByText('Match 1 of 1')).toBeInTheDocument()
  })

  it('says that there is no match, and Escape clears and leaves the field for the line', async () => {
    const { user } = show()
    await user.type(search(), 'bridge')
    await user.type(search(), 'head')
    expect(screen.getAllByText('No matches')).not.toHaveLength(0)
    await user.keyboard('{Escape}')
    expect(search()).toHaveValue('')
    expect(row(3)).toHaveFocus()
  })
})

describe('the filters', () => {
  it('leave the uncertain lines and the gaps, and say how many there are', async () => {
    const { user } = show()
    await user.click(toggle('Only uncertain 3'))
    expect(rows()).toHaveLength(3)
    expect(list()).not.toHaveTextContent('my brother')
    expect(toggle('Only uncertain 3')).toHaveAttribute('aria-pressed', 'true')
  })

  it('leave the lines with keywords, and work together', async () => {
    const { user } = show({ keywords: { intent: ['brother', 'bridge'] } })
    await user.click(toggle('Only hits 2'))
    expect(rows()).toHaveLength(2)
    await user.click(toggle(/^Only uncertain/))
    expect(rows()).toHaveLength(1)
  })

  it('leave the lines and gaps of a speaker, and can leave none', async () => {
    const { user } = show({ keywords: { threats: ['وسله'] } })
    await user.click(toggle('Only Right Channel'))
    expect(rows()).toHaveLength(3)
    await user.click(toggle(/^Only hits/))
    expect(screen.getByText('No line matches the filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show all lines' }))
    expect(rows()).toHaveLength(4)
  })

  it('about uncertainty are absent without confidences and disabled without uncertain lines', () => {
    const { confidence: _, words: __, ...old } = certain
    const { unmount } = show({ transcription: makeTranscript([old]) })
    expect(screen.queryByRole('button', { name: /^Only uncertain/ })).toBeNull()
    unmount()
    show({ transcription: makeTranscript([certain]) })
    expect(toggle('Only uncertain 0')).toBeDisabled()
  })
})

describe('the view', () => {
  async function choose(user: ReturnType<typeof show>['user'], name: string) {
    await user.click(screen.getByRole('button', { name: 'View' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }

  it('can be by speaker, each with language and confidence before the lines', async () => {
    const { user } = show()
    await choose(user, 'By speaker')
    await waitFor(() => expect(rows()).toHaveLength(6))
    expect(row(0)).toHaveTextContent('Left Channel1 segment · Pashto · 97%')
    expect(within(row(2)).getByRole('heading', { name: /Right Channel/ })).toBeVisible()
    expect(
      rows()
        .slice(3)
        .map((each) => each.querySelector('button')?.textContent),
    ).toEqual(['0:04', '0:10', '0:20'])
  })

  it('can be of one text alone', async () => {
    const { user } = show({ translation })
    await choose(user, 'Translation only')
    await waitFor(() => expect(row(0)).not.toHaveTextContent('وسله'))
    expect(row(0)).toHaveTextContent('bring the weapon home')
    await choose(user, 'Original only')
    await waitFor(() => expect(row(0)).not.toHaveTextContent('weapon'))
    expect(row(0)).toHaveTextContent('وسله')
  })

  it('is the translation alone where the settings leave out the original', () => {
    store({ translation: { ...defaultSettings.translation, showOriginal: false } })
    show({ translation })
    expect(row(0)).not.toHaveTextContent('وسله')
  })

  it('hides the times where the settings say so, and keeps them for screen readers', () => {
    store({ transcription: { ...defaultSettings.transcription, showTimestamps: false } })
    show()
    expect(within(row(0)).getByRole('button', { name: '0:01 – 0:03' })).toHaveAttribute('data-hidden')
  })
})

describe('while a transcription runs', () => {
  const arriving: Segment[] = [
    { start: 0, end: 1, text: 'سلام', channel: 0 },
    { start: 2, end: 3, text: 'good morning', channel: 1 },
  ]
  const progress = {
    current_segment: 1,
    total_segments: 4,
    detected_language: null,
    language_probability: null,
    latest_segment: arriving[1] ?? null,
    partial_text: '',
    partial_segments: arriving,
  }
  const running = { transcription: null, partial: arriving, desk: { jobs: { transcribe: makeRunningJob(progress) } } }

  it('its lines are in the list with their speakers, the newest marked as arriving', () => {
    show(running)
    expect(rows()).toHaveLength(2)
    expect(within(row(1)).getByTitle('Right Channel')).toHaveTextContent('B')
    expect(row(1)).toHaveAttribute('data-arriving')
    expect(row(0)).not.toHaveAttribute('data-arriving')
  })

  it('a reader who scrolls is offered the way to the newest line', async () => {
    const { user } = show(running)
    expect(screen.queryByRole('button', { name: 'Jump to newest' })).toBeNull()
    list().dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await user.click(await screen.findByRole('button', { name: 'Jump to newest' }))
    expect(screen.queryByRole('button', { name: 'Jump to newest' })).toBeNull()
  })
})

describe('while the recording plays', () => {
  it('a reader who scrolls is offered the way back to the spoken line', async () => {
    const { user } = show({ player: { ...makePlayer(), isPlaying: true } })
    expect(row(0)).not.toHaveAttribute('aria-current')
    list().dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await user.click(await screen.findByRole('button', { name: 'Back to now' }))
    expect(screen.queryByRole('button', { name: 'Back to now' })).toBeNull()
  })
})

describe('without lines', () => {
  it('says that no speech was found, or that a voice was not understood', () => {
    const { unmount } = show({ transcription: makeTranscript([]) })
    expect(screen.getByText('No speech was found in this recording.')).toBeVisible()
    const warnings = [{ code: 'no_words', message: 'No words were understood.' }]
    unmount()
    show({ transcription: makeTranscript([], { warnings }) })
    expect(screen.getByText('A voice was found, but no words were understood.')).toBeVisible()
  })
})
