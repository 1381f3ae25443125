import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  callTranslation,
  certain,
  doubtful,
  list,
  pashto,
  row,
  rows,
  showConversation,
  storeSettings,
} from '../../../testing/conversation.tsx'
import { makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { makeTranslation } from '../../../testing/translations.ts'
import { defaultSettings } from '../../../shared/settings.ts'

describe('a row', () => {
  it('has its times, its speaker and both texts, each in its language and direction', () => {
    showConversation({ translation: callTranslation })
    expect(rows()).toHaveLength(4)
    expect(within(row(0)).getByRole('button', { name: '0:01 – 0:03' })).toBeVisible()
    expect(within(row(0)).getByTitle('Left Channel')).toHaveTextContent('A')
    const original = row(0).querySelector('[lang="ps"]')
    expect(original).toHaveAttribute('dir', 'rtl')
    expect(original).toHaveTextContent(/^وسله کور ته راوړه$/)
    expect(within(row(0)).getByText('bring the weapon home')).toHaveAttribute('lang', 'en')
    expect(row(0)).toHaveAttribute('aria-posinset', '1')
    expect(row(0)).toHaveAttribute('aria-setsize', '4')
  })

  it('shows when it begins and when it ends, also where that is the same second', () => {
    showConversation({ transcription: makeTranscript([pashto, { ...certain, start: 4.1, end: 4.8 }]) })
    const [first, second] = [row(0), row(1)].map((each) => each.querySelector('button'))
    expect(first).toHaveTextContent(/^0:01 – 0:03$/)
    expect(second).toHaveTextContent(/^0:04 – 0:04$/)
    // Otherwise a right-to-left page would show the end before the start.
    expect(first).toHaveAttribute('dir', 'ltr')
  })

  it('seeks when it is clicked, with Enter, and by its time', async () => {
    const { user, seek } = showConversation()
    await user.click(screen.getByText('my brother is here'))
    expect(seek).toHaveBeenLastCalledWith(4)
    await user.keyboard('{ArrowUp}{Enter}')
    expect(seek).toHaveBeenLastCalledWith(1)
    await user.click(within(row(3)).getByRole('button', { name: '0:20 – 0:22' }))
    expect(seek).toHaveBeenLastCalledWith(20)
  })

  it('marks uncertain words with their confidence, without repeating the text', () => {
    showConversation()
    expect(within(list()).getByText('وسله')).toHaveAttribute('title', 'Uncertain: confidence 20%')
    expect(screen.getByText('1 uncertain word')).toBeInTheDocument()
    expect(within(list()).getByText('to the bridge')).toHaveAttribute('title', 'Uncertain: confidence 30%')
  })

  it('marks what a word list changed, and says what was heard on hover and on focus', async () => {
    const words = [
      { text: 'to', start: 4, end: 5 },
      {
        text: 'Spin',
        start: 5,
        end: 5.5,
        confidence: 0.2,
        correction: { heard: 'spinboldak', written: 'Spin Boldak' },
      },
      { text: 'Boldak.', start: 5.5, end: 6 },
    ]
    const { user } = showConversation({
      transcription: makeTranscript([{ ...certain, text: 'to Spin Boldak.', words }]),
    })
    await user.hover(within(row(0)).getByText('Spin'))
    const sentence = 'Written as in the word list; heard: spinboldak'
    expect(screen.getByRole('tooltip')).toHaveTextContent(`${sentence}. Uncertain: confidence 20%`)
    await user.hover(within(row(0)).getByText('Boldak'))
    expect(screen.getByRole('tooltip')).toHaveTextContent(sentence)
    await user.unhover(within(row(0)).getByText('Boldak'))
    await user.click(row(0))
    await user.tab()
    await user.tab()
    expect(document.activeElement).toHaveAccessibleDescription(new RegExp(sentence))
    expect(row(0)).toHaveTextContent('to Spin Boldak.')
  })

  it('in another language than its speaker has its own direction and names the language', () => {
    showConversation({ transcription: makeTranscript([makeSegment('good morning', { language: 'en' }), pashto]) })
    const line = within(list()).getByText('good morning', { exact: false })
    expect(line).toHaveAttribute('dir', 'ltr')
    expect(within(list()).getAllByTitle('Language of this line')).toHaveLength(1)
    expect(within(line).getByTitle('Language of this line')).toHaveTextContent('English')
  })

  it('stands for a passage that was not understood, and says why', async () => {
    const { user, seek } = showConversation()
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
    showConversation({ transcription: makeTranscript([{ ...pashto, overlap: true }, certain]), edits })
    expect(within(row(0)).getByText('talk-over')).toBeVisible()
    expect(within(row(1)).getByText('edited')).toHaveAttribute('title', 'Corrected by hand')
  })

  it('shows the name of a speaker who was given one', () => {
    showConversation({ corrections: { names: { 'Speaker A': 'Gul Khan' }, merged: {}, moved: [] } })
    expect(within(row(0)).getByText('Gul Khan')).toBeVisible()
  })
})

describe('the keyboard', () => {
  it('reaches the list with one Tab, moves within it by arrows, Home, End and pages, and leaves it', async () => {
    const { user } = showConversation()
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
    showConversation({ keywords: { intent: ['brother'] } })
    const reachable = [...list().querySelectorAll('li, button, mark')].filter((element) => {
      return element instanceof HTMLElement && element.tabIndex >= 0 && element.ariaHidden !== 'true'
    })
    expect(reachable.every((element) => row(0).contains(element))).toBe(true)
  })
})

describe('keywords', () => {
  const keywords = { threats: ['weapon', 'وسله'], intent: ['brother'], sounds_like: ['brother'] }

  it('are marked in both texts, with a tooltip on hover and on focus that Escape closes', async () => {
    const { user } = showConversation({ translation: callTranslation, keywords })
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
    expect(document.activeElement).toHaveAccessibleDescription('Threats: \u2068وسله\u2069 · Left Channel')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).toBeNull()
  })

  it('that only sound alike are marked as such', async () => {
    const { user } = showConversation({ transcription: makeTranscript([makeSegment('my brothr')]), keywords })
    const mark = within(row(0)).getByText('brothr')
    expect(mark).toHaveAttribute('data-similar', 'true')
    await user.hover(mark)
    expect(screen.getByRole('tooltip')).toHaveTextContent('Intent: sounds like brother')
  })

  it('are not marked where the settings say so', () => {
    storeSettings({ transcription: { ...defaultSettings.transcription, highlightKeywords: false } })
    showConversation({ translation: callTranslation, keywords })
    expect(list().querySelector('mark')).toBeNull()
  })
})

describe('a translation', () => {
  const failed = { ...pashto, translated_text: '', error: 'The model repeated the text.' }

  it('that failed shows the error and can be tried again', async () => {
    const retryTranslation = vi.fn()
    const { user } = showConversation({
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
    showConversation({ translation: callTranslation, edits, desk: { retryTranslation: vi.fn() } })
    expect(within(row(1)).getByText('outdated')).toBeVisible()
    expect(within(row(1)).getByRole('button', { name: 'Translate the line “my mother is here” again' })).toBeVisible()
  })

  it('that a line lacks is said to be missing, but not while it is still to come', () => {
    const partly = makeTranslation([{ ...pashto, translated_text: 'bring the weapon home' }])
    const { unmount } = showConversation({ translation: partly })
    expect(within(row(1)).getByText('No translation available')).toBeVisible()
    const job = makeRunningJob(null, { kind: 'translate', target_language: 'en' })
    unmount()
    showConversation({ translation: partly, desk: { jobs: { translate: job } } })
    expect(within(row(1)).queryByText('No translation available')).toBeNull()
  })

  it('of a call without speakers is one block, without a name', () => {
    const line = { start: 1, end: 3, text: 'سلام ورور' }
    showConversation({
      transcription: makeTranscript([line], { num_speakers: 1, speaker_transcriptions: [] }),
      translation: makeTranslation([{ ...line, translated_text: 'hello brother' }]),
    })
    expect(row(0)).toHaveTextContent(/^0:01 – 0:03سلام ورورhello brother$/)
    expect(within(list()).queryByTitle('Left Channel')).toBeNull()
  })

  describe('of which a view shows nothing else', () => {
    const partly = makeTranslation([{ ...pashto, translated_text: 'bring the weapon home' }])
    const running = { translate: makeRunningJob(null, { kind: 'translate', target_language: 'en' }) }

    beforeEach(() => storeSettings({ translation: { ...defaultSettings.translation, showOriginal: false } }))

    it('leaves each line its original until it arrives', () => {
      showConversation({ translation: partly, desk: { jobs: running } })
      expect(within(row(0)).getByText('bring the weapon home')).toBeVisible()
      expect(row(0)).not.toHaveTextContent(pashto.text)
      expect(within(row(1)).getByText(certain.text)).toBeVisible()
      expect(within(row(3)).getByText(doubtful.text)).toBeVisible()
    })

    it('is searched in what is on screen', async () => {
      const { user } = showConversation({ translation: partly, desk: { jobs: running } })
      const search = screen.getByRole('searchbox', { name: 'Search the conversation' })
      await user.type(search, 'brother')
      expect(screen.getByText('Match 1 of 1')).toBeInTheDocument()
      await user.clear(search)
      await user.type(search, 'وسله')
      expect(screen.getAllByText('No matches')).not.toHaveLength(0)
    })

    it('says that it is missing once none is to come', () => {
      showConversation({ translation: partly })
      expect(within(row(1)).getByText('No translation available')).toBeVisible()
      expect(row(1)).not.toHaveTextContent(certain.text)
    })
  })

  it('appears line by line while it is made', () => {
    const latest_segment = { ...certain, speaker: 'Speaker B', translated_text: 'mein Bruder ist hier', error: null }
    const progress = { current_segment: 2, total_segments: 3, latest_segment, partial_text: '' }
    const job = makeRunningJob(progress, { kind: 'translate', target_language: 'en' })
    showConversation({ desk: { jobs: { translate: job } } })
    expect(within(row(1)).getByText('mein Bruder ist hier')).toBeVisible()
  })
})
