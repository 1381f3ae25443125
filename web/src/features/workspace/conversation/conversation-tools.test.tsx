import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import type { Segment } from '#contract/transcription.ts'
import {
  callTranslation,
  certain,
  doubtful,
  list,
  row,
  rows,
  showConversation,
  storeSettings,
} from '../../../testing/conversation.tsx'
import { useDesk } from '../state/desk-context.ts'
import { useNavigation } from '../state/navigation.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure, someUser } from '../../../testing/fake-server.ts'
import { makePlayer } from '../../../testing/player.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { defaultSettings } from '../../../shared/settings.ts'

const toggle = (name: RegExp | string) => screen.getByRole('button', { name })
const search = () => screen.getByRole('searchbox', { name: 'Search the conversation' })

/** Goes to the last line, as a hit or a note does. */
function GoToLast() {
  const { goToLine } = useNavigation()
  const last = useDesk().lines.at(-1)
  return <button onClick={() => last && goToLine(last.id, { focus: true })}>Go to the last line</button>
}

describe('the search', () => {
  it('counts matches in both texts and goes to the next and the one before', async () => {
    const { user } = showConversation({ translation: callTranslation })
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
    const { user } = showConversation({ transcription: spelled })
    await user.type(search(), 'پیسی کور')
    expect(screen.getByText('Match 1 of 1')).toBeInTheDocument()
    await user.clear(search())
    await user.type(search(), 'lubeck')
    expect(screen.getByText('Match 1 of 1')).toBeInTheDocument()
  })

  it('finds a name in other spellings, unless these are left out', async () => {
    const spelled = makeTranscript([
      makeSegment('قندهار ته', { start: 1 }),
      makeSegment('to Kandahar', { start: 2, language: 'en' }),
    ])
    const { user } = showConversation({ transcription: spelled })
    await user.type(search(), 'Kandahar')
    const toggle = screen.getByRole('button', { name: '1 also spelled otherwise', pressed: true })
    expect(list().querySelectorAll('[data-match]')).toHaveLength(2)
    expect(list().querySelector('[data-spelled]')).toHaveTextContent('قندهار')
    await user.click(toggle)
    expect(list().querySelectorAll('[data-match]')).toHaveLength(1)
    expect(toggle).toHaveAttribute('aria-pressed', 'false')
  })

  it('says that there is no match, and Escape clears and leaves the field for the line', async () => {
    const { user } = showConversation()
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
    const { user } = showConversation()
    await user.click(toggle('Only uncertain 3'))
    expect(rows()).toHaveLength(3)
    expect(list()).not.toHaveTextContent('my brother')
    expect(toggle('Only uncertain 3')).toHaveAttribute('aria-pressed', 'true')
  })

  it('leave the lines with keywords, and work together', async () => {
    const { user } = showConversation({ keywords: { intent: ['brother', 'bridge'] } })
    await user.click(toggle('Only hits 2'))
    expect(rows()).toHaveLength(2)
    await user.click(toggle(/^Only uncertain/))
    expect(rows()).toHaveLength(1)
  })

  it('say as many hits as their tab does, also where a line has two of them', async () => {
    const keywords = { ...noKeywords(), intent: ['brother', 'here', 'bridge'] }
    localStorage.setItem(`awaz_keywords:${someUser.id}`, JSON.stringify(keywords))
    const { user } = await renderDesk(makeRecording(makeTranscript([certain, doubtful])), {
      'GET /api/auth/keywords': () => failure(503, 'Away'),
    })
    expect(await screen.findByRole('tab', { name: 'Hits 3' })).toBeVisible()
    await user.click(toggle('Only hits 3'))
    expect(rows()).toHaveLength(2)
  })

  it('leave the lines and gaps of a speaker, and can leave none', async () => {
    const { user } = showConversation({ keywords: { threats: ['وسله'] } })
    await user.click(toggle('Only Right Channel'))
    expect(rows()).toHaveLength(3)
    await user.click(toggle(/^Only hits/))
    expect(screen.getByText('No line matches the filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show all lines' }))
    expect(rows()).toHaveLength(4)
  })

  it('give way where another part of the desk goes to a line that they leave out', async () => {
    const { user } = showConversation({ other: <GoToLast /> })
    await user.click(toggle('Only Left Channel'))
    expect(rows()).toHaveLength(1)
    await user.click(toggle('Go to the last line'))
    expect(rows()).toHaveLength(4)
    expect(row(3)).toHaveFocus()
  })

  it('that leave no line give way too', async () => {
    const { user } = showConversation({ keywords: { threats: ['وسله'] }, other: <GoToLast /> })
    await user.click(toggle('Only Right Channel'))
    await user.click(toggle(/^Only hits/))
    expect(screen.getByText('No line matches the filters.')).toBeVisible()
    await user.click(toggle('Go to the last line'))
    expect(row(3)).toHaveFocus()
  })

  it('about uncertainty are absent without confidences and disabled without uncertain lines', () => {
    const { confidence: _, words: __, ...old } = certain
    const { unmount } = showConversation({ transcription: makeTranscript([old]) })
    expect(screen.queryByRole('button', { name: /^Only uncertain/ })).toBeNull()
    unmount()
    showConversation({ transcription: makeTranscript([certain]) })
    expect(toggle('Only uncertain 0')).toBeDisabled()
  })
})

describe('the view', () => {
  async function choose(user: ReturnType<typeof showConversation>['user'], name: string) {
    await user.click(screen.getByRole('button', { name: 'View' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }

  it('can be by speaker, each with language and confidence before the lines', async () => {
    const { user } = showConversation()
    await choose(user, 'By speaker')
    await waitFor(() => expect(rows()).toHaveLength(6))
    expect(row(0)).toHaveTextContent('Left Channel1 segment · Pashto · 97%')
    expect(within(row(2)).getByRole('heading', { name: /Right Channel/ })).toBeVisible()
    expect(
      rows()
        .slice(3)
        .map((each) => each.querySelector('button')?.textContent),
    ).toEqual(['0:04 – 0:06', '0:10 – 0:14', '0:20 – 0:22'])
  })

  it('can be of one text alone', async () => {
    const { user } = showConversation({ translation: callTranslation })
    await choose(user, 'Translation only')
    await waitFor(() => expect(row(0)).not.toHaveTextContent('وسله'))
    expect(row(0)).toHaveTextContent('bring the weapon home')
    await choose(user, 'Original only')
    await waitFor(() => expect(row(0)).not.toHaveTextContent('weapon'))
    expect(row(0)).toHaveTextContent('وسله')
  })

  it('is the translation alone where the settings leave out the original', () => {
    storeSettings({ translation: { ...defaultSettings.translation, showOriginal: false } })
    showConversation({ translation: callTranslation })
    expect(row(0)).not.toHaveTextContent('وسله')
  })

  it('hides the times where the settings say so, and keeps them for screen readers', () => {
    storeSettings({ transcription: { ...defaultSettings.transcription, showTimestamps: false } })
    showConversation()
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
    showConversation(running)
    expect(rows()).toHaveLength(2)
    expect(within(row(1)).getByTitle('Right Channel')).toHaveTextContent('B')
    expect(row(1)).toHaveAttribute('data-arriving')
    expect(row(0)).not.toHaveAttribute('data-arriving')
  })

  it('a reader who scrolls is offered the way to the newest line', async () => {
    const { user } = showConversation(running)
    expect(screen.queryByRole('button', { name: 'Jump to newest' })).toBeNull()
    list().dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await user.click(await screen.findByRole('button', { name: 'Jump to newest' }))
    expect(screen.queryByRole('button', { name: 'Jump to newest' })).toBeNull()
  })
})

describe('while the recording plays', () => {
  it('a reader who scrolls is offered the way back to the spoken line', async () => {
    const { user } = showConversation({ player: { ...makePlayer(), isPlaying: true } })
    expect(row(0)).not.toHaveAttribute('aria-current')
    list().dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await user.click(await screen.findByRole('button', { name: 'Back to now' }))
    expect(screen.queryByRole('button', { name: 'Back to now' })).toBeNull()
  })
})

describe('without lines', () => {
  it('says that no speech was found, or that a voice was not understood', () => {
    const { unmount } = showConversation({ transcription: makeTranscript([]) })
    expect(screen.getByText('No speech was found in this recording.')).toBeVisible()
    const warnings = [{ code: 'no_words', message: 'No words were understood.' }]
    unmount()
    showConversation({ transcription: makeTranscript([], { warnings }) })
    expect(screen.getByText('A voice was found, but no words were understood.')).toBeVisible()
  })
})
