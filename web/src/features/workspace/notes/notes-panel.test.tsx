import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { editing } from '#contract/endpoints/editing.ts'
import type { Note } from '#contract/notes.ts'
import { TestDesk } from '../../../testing/desk.tsx'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { useAddNote } from './add-note.ts'
import { NotesPanel } from './notes-panel.tsx'

const recording = makeRecording(makeTranscript([makeSegment('hello')]))
const path = `/api/recordings/${recording.id}/notes`
const moment = '2026-01-02T03:04:05.000Z'

beforeEach(() => {
  // The list renders only what fits its height, and happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
})

const makeNote = (number: number, time: number, text: string): Note => ({
  id: String(number).padStart(24, '0'),
  time,
  text,
  created_at: moment,
  updated_at: moment,
})

function AddAt({ time }: { time: number }) {
  const addNote = useAddNote()
  return (
    <button type="button" onClick={() => addNote(time)}>
      Add at line
    </button>
  )
}

function show(stored: Note[] = [], { isAway = false } = {}) {
  const server = { notes: stored, isAway }
  const away = () => failure(503, 'Away')
  const handlers: Parameters<typeof fakeServer>[0] = {
    'GET /api/auth/keywords': away,
    [`GET /api/recordings/${recording.id}/reviewed-hits`]: () => ({ body: { reviewed: [] } }),
    [`GET ${path}`]: () => (server.isAway ? away() : { body: { notes: server.notes } }),
    [`POST ${path}`]: ({ body }) => {
      if (server.isAway) return away()
      const { time, text } = editing.addNote.body.parse(body)
      const note = makeNote(100 + server.notes.length, time, text)
      server.notes = [...server.notes, note]
      return { status: 201, body: note }
    },
  }
  for (const number of [1, 2, 100, 101]) {
    const id = makeNote(number, 0, '').id
    handlers[`PATCH ${path}/${id}`] = ({ body }) => {
      if (server.isAway) return away()
      const change = editing.changeNote.body.parse(body)
      server.notes = server.notes.map((note) =>
        note.id === id ? { ...note, text: change.text ?? note.text, time: change.time ?? note.time } : note,
      )
      return { body: server.notes.find((note) => note.id === id) }
    }
    handlers[`DELETE ${path}/${id}`] = () => {
      if (server.isAway) return away()
      server.notes = server.notes.filter((note) => note.id !== id)
      return { body: { message: 'Note deleted' } }
    }
  }
  fakeServer(handlers)
  const seek = vi.fn<(seconds: number) => void>()
  const { user } = renderAt(
    '/transcribe',
    withPlayer(
      <TestDesk recording={recording}>
        <NotesPanel />
        <AddAt time={7} />
      </TestDesk>,
      makePlayer(seek),
    ),
    someUser,
  )
  return { user, server, seek }
}

const rows = () => within(screen.getByRole('list', { name: 'Notes' })).getAllByRole('listitem')

describe('the notes of a recording', () => {
  it('are listed by time, and lead there', async () => {
    const { user, seek } = show([makeNote(1, 3, 'first'), makeNote(2, 62, '')])
    await user.click(await screen.findByRole('button', { name: 'Go to 1:02' }))
    expect(seek).toHaveBeenCalledWith(62)
    expect(rows().map((row) => row.textContent)).toEqual(['0:03first', '1:02 Bookmark'])
  })

  it('say how to add the first', async () => {
    show()
    expect(await screen.findByText(/Press B to add a note/)).toBeVisible()
  })

  it('can be loaded again where that failed', async () => {
    const { user, server } = show([makeNote(1, 3, 'first')], { isAway: true })
    const retry = await screen.findByRole('button', { name: 'Try again' })
    server.isAway = false
    await user.click(retry)
    expect(await screen.findByText('first')).toBeVisible()
  })
})

describe('a new note', () => {
  it('has the focus in its text, and is saved as it is typed', async () => {
    const { user, server } = show()
    await user.click(screen.getByRole('button', { name: 'Add at line' }))
    const field = await screen.findByRole('textbox', { name: 'Note at 0:07' })
    await waitFor(() => expect(field).toHaveFocus())
    await user.type(field, 'listen here')
    await waitFor(() => expect(server.notes).toMatchObject([{ time: 7, text: 'listen here' }]))
    await user.keyboard('{Enter}')
    expect(screen.getByRole('button', { name: 'listen here' })).toHaveFocus()
  })

  it('is a bookmark without text', async () => {
    const { user, server } = show()
    await user.click(screen.getByRole('button', { name: 'Add note' }))
    await user.type(await screen.findByRole('textbox', { name: 'Note at 0:00' }), '{Escape}')
    expect(screen.getByRole('button', { name: 'Bookmark' })).toBeVisible()
    await waitFor(() => expect(server.notes).toMatchObject([{ time: 0, text: '' }]))
  })

  it('stays with its text where it cannot be saved, and is sent again', async () => {
    const { user, server } = show()
    await screen.findByText(/Press B/)
    server.isAway = true
    await user.click(screen.getByRole('button', { name: 'Add at line' }))
    await user.type(await screen.findByRole('textbox', { name: 'Note at 0:07' }), 'kept{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Away')
    server.isAway = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(server.notes).toMatchObject([{ time: 7, text: 'kept' }]))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(server.notes).toHaveLength(1)
  })
})

describe('a note', () => {
  it('is edited in place', async () => {
    const { user, server } = show([makeNote(1, 3, 'first')])
    await user.click(await screen.findByRole('button', { name: 'first' }))
    await user.type(screen.getByRole('textbox', { name: 'Note at 0:03' }), ' and more{Enter}')
    await waitFor(() => expect(server.notes).toMatchObject([{ text: 'first and more' }]))
  })

  it('moves to the playhead', async () => {
    const { user, server } = show([makeNote(1, 3, 'first')])
    await user.click(await screen.findByRole('button', { name: 'Set the time to the playhead' }))
    await waitFor(() => expect(server.notes).toMatchObject([{ time: 0 }]))
  })

  it('is deleted, and comes back by undo', async () => {
    const { user, server } = show([makeNote(1, 3, 'first')])
    await user.click(await screen.findByRole('button', { name: 'Delete the note at 0:03' }))
    await waitFor(() => expect(server.notes).toEqual([]))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.notes).toMatchObject([{ time: 3, text: 'first' }]))
  })

  it('is shown again where it could not be deleted', async () => {
    const { user, server } = show([makeNote(1, 3, 'first')])
    const remove = await screen.findByRole('button', { name: 'Delete the note at 0:03' })
    server.isAway = true
    await user.click(remove)
    expect(await screen.findByText('Away')).toBeVisible()
    expect(screen.getByText('first')).toBeVisible()
  })
})

it('arrows move among the notes, of which one is in the order of Tab', async () => {
  const { user } = show([makeNote(1, 3, 'first'), makeNote(2, 62, 'second')])
  const first = await screen.findByRole('button', { name: 'Go to 0:03' })
  const second = screen.getByRole('button', { name: 'Go to 1:02' })
  expect(second).toHaveAttribute('tabindex', '-1')
  first.focus()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(second).toHaveFocus())
  expect(second).toHaveAttribute('tabindex', '0')
})
