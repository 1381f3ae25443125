import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { networkError } from '../../../shared/api/api-error.ts'
import { renderEditingDesk } from '../../../testing/editing-desk.tsx'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makePlayer } from '../../../testing/player.tsx'

async function show(player = makePlayer()) {
  const rendered = renderEditingDesk(makeMonoCall(), player)
  await screen.findByRole('list', { name: 'Lines' })
  return rendered
}

const rows = () => within(screen.getByRole('list', { name: 'Lines' })).getAllByRole('listitem')
/** Returns the texts of all lines; the text of the open one in brackets. */
const texts = () =>
  rows().map((row) => {
    const field = within(row).queryByRole('textbox')
    return field instanceof HTMLTextAreaElement
      ? `[${field.value}]`
      : within(row).getAllByRole('button')[0]?.textContent
  })
const field = (time: string) =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: `Text of the line at ${time}` })
const line = (text: string) => screen.getByRole('button', { name: text })
const openMenu = async (user: Awaited<ReturnType<typeof show>>['user'], time: string) =>
  await user.click(screen.getByRole('button', { name: `Actions for the line at ${time}` }))
const untilSaved = async () => expect(await screen.findByText('Saved')).toBeVisible()

describe('correcting a line', () => {
  it('opens at the end of its text, and Enter saves it and goes on to the next one', async () => {
    const { user, server } = await show()
    await user.click(line('good morning'))
    expect(field('0:00')).toHaveFocus()
    await user.keyboard(' all{Enter}')
    expect(field('0:05')).toHaveFocus()
    await untilSaved()
    expect(server.edits.edits).toMatchObject([{ from: [0], lines: [{ start: 0, end: 4, text: 'good morning all' }] }])
    expect(texts()).toEqual(['good morning all', '[good morning to you]', 'is the bridge open', 'it is'])
  })

  it('is saved after a pause, without a key that ends it', async () => {
    const { user, server } = await show()
    await user.click(line('it is'))
    await user.keyboard('!')
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ lines: [{ text: 'it is!' }] }]))
    expect(field('0:20')).toHaveFocus()
  })

  it('returns to the text before with Escape, and undo brings the typed one back', async () => {
    const { user } = await show()
    await user.click(line('it is'))
    await user.keyboard(' not{Escape}')
    expect(texts()).toContain('it is')
    await user.click(screen.getByRole('button', { name: 'Undo: Line corrected' }))
    expect(texts()).toContain('it is not')
  })

  it('refuses an empty text with a sentence', async () => {
    const { user, server } = await show()
    await user.click(line('it is'))
    await user.clear(field('0:20'))
    await user.keyboard('{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent(/^A line must not be empty/)
    expect(field('0:20')).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(texts()).toContain('it is')
    expect(server.requests).toEqual([])
  })

  it('goes to the lines above and below with the arrows at its edges', async () => {
    const { user } = await show()
    await user.click(line('good morning to you'))
    await user.keyboard('{ArrowDown}')
    expect(field('0:06')).toHaveFocus()
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(field('0:00')).toHaveFocus()
  })

  it('takes pasted lines as one', async () => {
    const { user } = await show()
    await user.click(line('it is'))
    await user.paste('\nopen\n now')
    expect(field('0:20')).toHaveValue('it is open now')
  })

  it('leaves keys to an input method that composes a word', async () => {
    const { user } = await show()
    await user.click(line('it is'))
    field('0:20').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
    expect(field('0:20')).toHaveFocus()
  })

  it('plays the line while it is edited', async () => {
    const seek = vi.fn()
    const { user } = await show(makePlayer(seek))
    await user.click(line('it is'))
    await user.keyboard('{Control>}{Shift>} {/Shift}{/Control}')
    expect(seek).toHaveBeenCalledExactlyOnceWith(20)
    expect(field('0:20')).toHaveValue('it is')
  })
})

describe('splitting and joining', () => {
  it('splits at the caret, and goes on in the second part', async () => {
    const { user, server } = await show()
    await user.click(line('is the bridge open'))
    field('0:06').setSelectionRange(7, 7)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(texts().slice(2)).toEqual(['is the', '[bridge open]', 'it is'])
    expect(screen.getByRole('textbox')).toHaveFocus()
    await waitFor(() => expect(server.edits.edits[0]?.lines).toHaveLength(2))
    expect(screen.getByText('Line split')).toBeInTheDocument()
  })

  it('splits from the menu where the caret was', async () => {
    const { user } = await show()
    await openMenu(user, '0:06')
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await waitFor(() => expect(field('0:06')).toHaveFocus())
    field('0:06').setSelectionRange(7, 7)
    await openMenu(user, '0:06')
    await user.click(await screen.findByRole('menuitem', { name: 'Split at the caret' }))
    expect(texts().slice(2)).toEqual(['is the', '[bridge open]', 'it is'])
  })

  it('does not split at an edge', async () => {
    const { user, server } = await show()
    await user.click(line('it is'))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(screen.getByText(/^A line cannot be empty/)).toBeInTheDocument()
    expect(server.requests).toEqual([])
  })

  it('joins with the line before of the same speaker by Backspace at the start', async () => {
    const { user, server } = await show()
    await user.click(line('it is'))
    field('0:20').setSelectionRange(0, 0)
    await user.keyboard('{Backspace}')
    expect(texts()).toEqual(['[good morning it is]', 'good morning to you', 'is the bridge open'])
    expect(screen.getByText('Joined with the line before of Speaker A')).toBeInTheDocument()
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ from: [0, 3] }]))
    expect(field('0:00').selectionStart).toBe('good morning '.length)
  })

  it('joins with the next line from the menu, and undo separates them', async () => {
    const { user, server } = await show()
    await openMenu(user, '0:00')
    await user.click(await screen.findByRole('menuitem', { name: 'Join with the next line, 0:20' }))
    expect(texts()).toEqual(['good morning it is', 'good morning to you', 'is the bridge open'])
    await user.click(screen.getByRole('button', { name: 'Undo: Lines joined' }))
    expect(texts()).toHaveLength(4)
    await waitFor(() => expect(server.edits.edits.filter(({ lines }) => lines !== null)).toEqual([]))
  })
})

describe('the history', () => {
  it('takes lines and speakers back in the order they were changed, by keys', async () => {
    const { user } = await show()
    await openMenu(user, '0:20')
    await user.click(await screen.findByRole('menuitemradio', { name: /Speaker B$/ }))
    await user.click(line('it is'))
    await user.keyboard(' so{Escape}')
    await user.click(screen.getByRole('button', { name: 'Undo: Line corrected' }))
    expect(texts()).toContain('it is so')
    await user.keyboard('{Control>}z{/Control}')
    expect(texts()).toContain('it is')
    expect(rows()[3]).toHaveAccessibleName('Speaker B')
    await user.keyboard('{Control>}z{/Control}')
    expect(rows()[3]).toHaveAccessibleName('Speaker A')
    await user.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
    expect(rows()[3]).toHaveAccessibleName('Speaker B')
    await user.keyboard('{Control>}y{/Control}')
    expect(texts()).toContain('it is so')
  })

  it('returns a line to what the model wrote, which the menu shows', async () => {
    const { user, server } = await show()
    await user.click(line('it is'))
    await user.keyboard(' closed{Enter}')
    await untilSaved()
    await openMenu(user, '0:20')
    const item = await screen.findByRole('menuitem', { name: /^Return to what the model wrote/ })
    expect(item).toHaveTextContent('it is')
    await user.click(item)
    expect(texts()).toContain('it is')
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ from: [3], lines: null }]))
  })
})

describe('saving', () => {
  it('tells a failure, and Retry ends it', async () => {
    const { user, server } = await show()
    server.failure = networkError()
    await user.click(line('it is'))
    await user.keyboard('!{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Could not be saved. Network error.')
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await untilSaved()
    expect(server.edits.revision).toBe(1)
  })

  it('warns before the page is left with unsent changes, and sends them after a reload', async () => {
    const { user, server, unmount } = await show()
    server.failure = networkError()
    await user.click(line('it is'))
    await user.keyboard('!{Enter}')
    await screen.findByRole('alert')
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)

    unmount()
    const next = await show()
    expect(texts()).toContain('it is!')
    await waitFor(() => expect(next.server.edits.edits).toMatchObject([{ lines: [{ text: 'it is!' }] }]))
  })
})

describe('changes from elsewhere', () => {
  const theirs = { from: [3], lines: [{ start: 20, end: 24, text: 'it was closed', speaker: 'Speaker A' }] }

  it('of other lines appear, and leave the open editor with its caret and text', async () => {
    const { user, server, client, queryKey } = await show()
    await user.click(line('good morning'))
    await user.keyboard(' al')
    field('0:00').setSelectionRange(4, 4)
    server.change(theirs)
    await client.invalidateQueries({ queryKey })
    await screen.findByRole('button', { name: 'it was closed' })
    expect(field('0:00')).toHaveValue('good morning al')
    expect(field('0:00').selectionStart).toBe(4)
    expect(field('0:00')).toHaveFocus()
  })

  it('of the open line appear in it while nothing was typed, and Escape leaves them', async () => {
    const { user, server, client, queryKey } = await show()
    await user.click(line('it is'))
    server.change(theirs)
    await client.invalidateQueries({ queryKey })
    await waitFor(() => expect(field('0:20')).toHaveValue('it was closed'))
    await user.keyboard('{Escape}')
    expect(texts()).toContain('it was closed')
    expect(server.requests).toEqual([])
  })

  async function changeBoth() {
    const shown = await show()
    shown.server.change(theirs)
    await shown.user.click(line('it is'))
    await shown.user.keyboard(' closed{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Changed here and elsewhere' })
    return { ...shown, conflict: within(dialog).getByRole('listitem', { name: 'The line at 0:20 – 0:24' }) }
  }

  it('of the same line are shown beside mine, with the differing words marked', async () => {
    const { conflict } = await changeBoth()
    const side = (name: string) => within(conflict).getByRole('region', { name })
    expect(within(side('Theirs')).getByText('was')).toHaveProperty('tagName', 'MARK')
    expect(within(side('Mine')).getByText('is')).toHaveProperty('tagName', 'MARK')
  })

  it('of the line that is being typed are told once it is left, and the dialog waits until then', async () => {
    const { user, server, client, queryKey } = await show()
    await user.click(line('it is'))
    await user.keyboard(' closed')
    server.change(theirs)
    await client.invalidateQueries({ queryKey })
    expect(await screen.findByRole('alert')).toHaveTextContent('A line that you changed was changed elsewhere too.')
    expect(field('0:20')).toHaveValue('it is closed')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Compare' }))
    await user.click(await screen.findByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ from: [3], lines: [{ text: 'it is closed' }] }]))
  })

  it('are overwritten by "Keep mine"', async () => {
    const { user, server, conflict } = await changeBoth()
    await user.click(within(conflict).getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ from: [3], lines: [{ text: 'it is closed' }] }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(texts()).toContain('it is closed')
  })

  it('are kept by "Keep theirs"', async () => {
    const { user, server, conflict } = await changeBoth()
    await user.click(within(conflict).getByRole('button', { name: 'Keep theirs' }))
    await waitFor(() => expect(texts()).toContain('it was closed'))
    expect(server.edits.revision).toBe(1)
  })
})
