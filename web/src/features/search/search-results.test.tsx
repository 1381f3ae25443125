import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { FoundLine } from '#contract/endpoints/search.ts'
import {
  bridge,
  currentAddress,
  makeFoundCall,
  renderSearch,
  respondWithCalls,
  resultLinks,
  searchField,
} from '../../testing/search.tsx'

describe('results', () => {
  it('are grouped by call, with its facts', async () => {
    renderSearch('/search?q=money', [makeFoundCall(1, { total: 12, is_in_one_line: false })])
    const call = await screen.findByRole('article', { name: 'call-1.wav' })
    for (const fact of ['12:41', 'Pashto', '12 lines', 'the words stand in different lines'])
      expect(call).toHaveTextContent(fact)
    // The desk counts every occurrence of a word in a line and calls them matches.
    expect(call).not.toHaveTextContent('match')
  })

  it('show a line with its time, its speaker, what was found and the lines beside it', async () => {
    renderSearch('/search?q=money', [makeFoundCall(1)])
    const line = await screen.findByRole('link', { name: '1:23 B bring the money to the bridge' })
    expect(within(line).getByText('money').tagName).toBe('MARK')
    expect(screen.getByText('we meet at noon')).toBeVisible()
    expect(screen.getByText('agreed')).toBeVisible()
  })

  it('say what else than a line was found', async () => {
    const name: FoundLine = {
      ...bridge,
      kind: 'name',
      start: 0,
      text: 'money transfer.wav',
      marks: [[0, 5]],
      speaker: null,
    }
    const lines: FoundLine[] = [name, { ...bridge, kind: 'translation' }, { ...bridge, kind: 'note', speaker: null }]
    renderSearch('/search?q=money', [makeFoundCall(1, { total: 3, lines })])
    expect(await screen.findByRole('heading', { level: 2, name: 'money transfer.wav Name' })).toBeVisible()
    expect(screen.getByText('English translation')).toBeVisible()
    expect(screen.getByText('Note')).toBeVisible()
    expect(await resultLinks()).toHaveLength(3)
  })

  it('name the other spellings that were found, and mark them differently', async () => {
    const lines: FoundLine[] = [
      {
        ...bridge,
        text: 'Kandahar, قندهار',
        marks: [
          [0, 8],
          [10, 16],
        ],
        spelled: [[10, 16]],
      },
    ]
    const also_spelled = [{ name: 'Kandahar', spellings: ['قندهار'] }]
    renderSearch('/search?q=Kandahar', () => respondWithCalls([makeFoundCall(1, { lines })], { also_spelled }))
    const names = await screen.findByLabelText('Also spelled')
    expect(names).toHaveTextContent('Kandahar also spelledقندهار')
    const [typed, other] = within(screen.getByRole('link', { name: /قندهار/ })).getAllByText(/./, { selector: 'mark' })
    expect(typed).not.toHaveAttribute('data-spelled')
    expect(other).toHaveAttribute('data-spelled', 'true')
  })

  it('stand in their own direction', async () => {
    const pashto: FoundLine = { ...bridge, language: 'ps', text: 'پیسې سبا راوړه', marks: [[0, 4]] }
    renderSearch('/search?q=money', [makeFoundCall(1, { lines: [pashto] })])
    const text = (await screen.findByText('پیسې')).parentElement
    expect(text).toHaveAttribute('dir', 'rtl')
    expect(text).toHaveAttribute('lang', 'ps')
    // The line next to it is in another language.
    expect(screen.getByText('agreed')).toHaveAttribute('dir', 'auto')
  })

  it('are counted for screen readers', async () => {
    renderSearch('/search?q=money', [makeFoundCall(1), makeFoundCall(2)])
    const count = await screen.findByText(/^2 calls with/)
    expect(count).toHaveTextContent('2 calls with “money”')
    expect(count).toHaveAttribute('aria-live', 'polite')
  })

  it('open the desk at their line, with what was found searched for', async () => {
    const { user } = renderSearch('/search?q=mon*', [makeFoundCall(1)])
    await user.click(await screen.findByRole('link', { name: /bring the money/ }))
    expect(currentAddress()).toBe(`/transcribe?recording=${makeFoundCall(1).recording.id}&t=83.5&find=money`)
  })

  it('have the focus again after coming back from one', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1), makeFoundCall(2)])
    const [, second] = await resultLinks()
    await user.click(second ?? document.body)
    await user.click(screen.getByRole('button', { name: 'Go back' }))
    await waitFor(async () => expect((await resultLinks())[1]).toHaveFocus())
  })

  it('of one call are all shown on demand', async () => {
    const lines = Array.from({ length: 7 }, (_, index) => ({ ...bridge, start: index, text: `money ${index}` }))
    const { user, requests } = renderSearch('/search?q=money', ({ url }) =>
      respondWithCalls([makeFoundCall(1, { total: 7, lines: url.includes('recording=') ? lines : lines.slice(0, 5) })]),
    )
    await user.click(await screen.findByRole('button', { name: 'Show all 7 lines of this call' }))
    expect(await screen.findByRole('link', { name: /money 6/ })).toBeVisible()
    expect(requests.at(-1)).toMatchObject({ q: 'money', recording: makeFoundCall(1).recording.id })
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
  })

  it('continue where they ended, with the focus on the first new one', async () => {
    const { user, requests } = renderSearch('/search?q=money', ({ url }) =>
      url.includes('cursor=')
        ? respondWithCalls([makeFoundCall(2)], { total_calls: 2 })
        : respondWithCalls([makeFoundCall(1)], { total_calls: 2, cursor: 'after-1' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Show more calls' }))
    expect(await screen.findByText('call-2.wav')).toBeVisible()
    expect(requests.at(-1)).toMatchObject({ q: 'money', cursor: 'after-1' })
    await waitFor(async () => expect((await resultLinks())[1]).toHaveFocus())
  })
})

describe('by keyboard', () => {
  it('arrows and J, K move among results, Escape returns to the field, Enter opens', async () => {
    const { user } = renderSearch('/search?q=money', [makeFoundCall(1), makeFoundCall(2), makeFoundCall(3)])
    const links = await resultLinks()
    const at = (index: number) => links[index]
    await user.keyboard('{ArrowDown}')
    expect(at(0)).toHaveFocus()
    await user.keyboard('{ArrowDown}j')
    expect(at(2)).toHaveFocus()
    await user.keyboard('k')
    expect(at(1)).toHaveFocus()
    expect(links.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1])
    await user.keyboard('{End}')
    expect(at(2)).toHaveFocus()
    await user.keyboard('{Home}')
    expect(at(0)).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(searchField()).toHaveFocus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(currentAddress()).toContain(`/transcribe?recording=${makeFoundCall(1).recording.id}&t=83.5`)
  })

  it('going on beyond the last result loads more', async () => {
    const { user } = renderSearch('/search?q=money', ({ url }) =>
      url.includes('cursor=')
        ? respondWithCalls([makeFoundCall(2)])
        : respondWithCalls([makeFoundCall(1)], { cursor: 'after-1' }),
    )
    await resultLinks()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    await waitFor(async () => expect((await resultLinks())[1]).toHaveFocus())
  })
})
