import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { offline, someUser } from '../../../testing/fake-server.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const first = { ...makeSegment('is the bridge open'), start: 2, end: 4 }
const second = { ...makeSegment('it is'), start: 6, end: 8 }
const recording = { ...makeRecording(makeTranscript([first, second])), duration: 30 }
const path = `/api/recordings/${recording.id}`
const moment = '2026-11-01T10:00:00.000Z'
const flag: Note = {
  id: 'f'.repeat(24),
  time: 5.9,
  text: 'who is it?',
  line: { end: 8.1, text: 'it was' },
  created_at: moment,
  updated_at: moment,
}

async function show(stored: Note[] = [], handlers: Parameters<typeof renderDesk>[1] = {}) {
  let notes = stored
  const added = 'a'.repeat(24)
  const put = (note: Note) => {
    notes = [...notes.filter(({ id }) => id !== note.id), note]
    return { status: 201, body: note }
  }
  const view = await renderDesk(recording, {
    [`GET ${path}/notes`]: () => ({ body: { notes } }),
    [`POST ${path}/notes`]: ({ body }) => put({ ...flag, ...(body as object), id: added }),
    [`PATCH ${path}/notes/${added}`]: ({ body }) => put({ ...(notes.at(-1) ?? flag), ...(body as object) }),
    ...handlers,
  })
  await waitFor(() => rowOf('it is'))
  return view
}

function rowOf(text: string) {
  const [row] = screen.getAllByText(text).flatMap((each) => each.closest<HTMLElement>('[data-line]') ?? [])
  if (!row) throw new Error(`No row: ${text}`)
  return row
}

describe('a flag', () => {
  it('is set at the line by G, with its words, and its text is typed in the panel', async () => {
    const { user, sent } = await show()
    await user.click(rowOf('is the bridge open'))
    await user.keyboard('g')
    const field = await screen.findByRole('textbox', { name: 'Flag at 0:02' })
    expect(await sent(`POST ${path}/notes`)).toMatchObject({ time: 2, line: { end: 4, text: 'is the bridge open' } })
    await user.type(field, 'ask{Enter}')
    expect(await sent(`PATCH ${path}/notes/${'a'.repeat(24)}`)).toMatchObject({ text: 'ask' })
    expect(within(rowOf('is the bridge open')).getByText('flag')).toHaveAttribute('title', 'Flagged: ask')
  })

  it('stays in this tab while the server cannot be reached, and the next page sends it', async () => {
    const kept = () => sessionStorage.getItem(`unsent_notes:${someUser.id}`)
    const { user, unmount } = await show([], { [`POST ${path}/notes`]: () => offline() })
    await user.click(rowOf('it is'))
    await user.keyboard('g')
    await user.type(await screen.findByRole('textbox', { name: 'Flag at 0:06' }), 'who?')
    await waitFor(() => expect(kept()).toContain('who?'))
    unmount()
    const { sent } = await show()
    expect(await sent(`POST ${path}/notes`)).toMatchObject({ time: 6, text: 'who?', line: { end: 8, text: 'it is' } })
    expect(await within(rowOf('it is')).findByText('flag')).toHaveAttribute('title', 'Flagged: who?')
    await waitFor(() => expect(kept()).toBeNull())
  })

  it('stands at the line of its time in another version, and quotes the words that were flagged', async () => {
    const { user } = await show([flag])
    expect(await within(rowOf('it is')).findByText('flag')).toHaveAttribute('title', 'Flagged: who is it?')
    expect(within(rowOf('is the bridge open')).queryByText('flag')).toBeNull()
    await user.click(screen.getByRole('tab', { name: /^Notes/ }))
    const row = within(await screen.findByRole('list', { name: 'Notes' })).getByRole('listitem')
    expect(row).toHaveTextContent('it was')
    expect(within(row).getByRole('button', { name: 'Delete the flag at 0:05' })).toBeVisible()
  })

  it('is opened by G where the line has one', async () => {
    const { user, calls } = await show([flag])
    await within(rowOf('it is')).findByText('flag')
    await user.click(rowOf('it is'))
    await user.keyboard('g')
    expect(await screen.findByRole('textbox', { name: 'Flag at 0:05' })).toHaveValue('who is it?')
    expect(calls.some(({ key }) => key === `POST ${path}/notes`)).toBe(false)
  })
})

describe('a line', () => {
  const link = `${location.origin}/transcribe?recording=${recording.id}&t=6`

  it('is copied by C with speaker, time, words and a link that opens it, and by L as the link', async () => {
    vi.stubGlobal('isSecureContext', true)
    const { user } = await show()
    await user.click(rowOf('it is'))
    await user.keyboard('c')
    await waitFor(async () => expect(await navigator.clipboard.readText()).toMatch(/^\[0:06\] .*it is\n/))
    expect((await navigator.clipboard.readText()).split('\n')[1]).toBe(link)
    await user.keyboard('l')
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(link))
  })
})
