import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { failure, offline } from '../../../testing/fake-server.ts'
import { makeMonoCall, renderWithSpeakers } from '../../../testing/mono-call.tsx'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { SpeakersPanel } from './speakers-panel.tsx'

async function show(recording = makeMonoCall(), seek = vi.fn()) {
  const player = { ...makePlayer(seek), toggle: vi.fn() }
  const rendered = renderWithSpeakers(recording, ({ recording: { transcription }, editing }) =>
    withPlayer(<SpeakersPanel transcription={transcription} editing={editing} />, player),
  )
  await screen.findByRole('region', { name: 'Speakers' })
  return { ...rendered, seek, player }
}

const rows = () => within(screen.getByRole('list', { name: 'Speakers' })).getAllByRole('listitem')
const nameButton = (name: string) => screen.getByRole('button', { name: `Rename ${name}` })

describe('the list of speakers', () => {
  it('shows each voice with letter, talking time and share, and how voices were separated', async () => {
    await show()
    expect(rows().map((row) => row.textContent)).toEqual([
      'ASpeaker A0:08 41%',
      'BSpeaker B0:02 10%',
      'CSpeaker C0:09 49%',
    ])
    expect(screen.getByText('Speakers separated by voice, telephone band')).toBeVisible()
  })

  it('plays the longest line of a voice', async () => {
    const { user, seek, player } = await show()
    await user.click(screen.getByRole('button', { name: 'Play a sample of Speaker C' }))
    expect(seek).toHaveBeenCalledExactlyOnceWith(6.5)
    expect(player.toggle).toHaveBeenCalledOnce()
  })

  it('explains that only one voice was found', async () => {
    const { transcription, ...call } = makeMonoCall()
    const segments = transcription?.segments.map(({ start, end, text }) => ({ start, end, text })) ?? []
    await show({ ...call, transcription: transcription && { ...transcription, segments, speaker_transcriptions: [] } })
    expect(screen.getByText(/^Only one voice was found/)).toBeVisible()
    expect(screen.queryByRole('list')).toBeNull()
  })
})

describe('a name', () => {
  it('is edited in place and saved by Enter', async () => {
    const { user, server } = await show()
    await user.click(nameButton('Speaker B'))
    expect(screen.getByRole('textbox', { name: 'Name of Speaker B' })).toHaveFocus()
    await user.keyboard(' احمد خان {Enter}')
    expect(nameButton('احمد خان')).toHaveFocus()
    await waitFor(() => expect(server.stored.corrections.names).toEqual({ 'Speaker B': 'احمد خان' }))
    expect(await screen.findByText('Speaker B is now احمد خان · Saved')).toBeVisible()
    expect(screen.getByText('احمد خان').tagName).toBe('BDI')
  })

  it('is unchanged after Escape, and has at most 60 characters', async () => {
    const { user, calls } = await show()
    await user.click(nameButton('Speaker A'))
    const field = screen.getByRole('textbox', { name: 'Name of Speaker A' })
    await user.type(field, 'x'.repeat(61))
    expect(field).toHaveValue('x'.repeat(60))
    await user.keyboard('{Escape}')
    expect(nameButton('Speaker A')).toBeVisible()
    expect(calls.some(({ key }) => key.startsWith('PUT'))).toBe(false)
  })

  it('can be removed', async () => {
    const { user, server } = await show()
    await user.click(nameButton('Speaker A'))
    await user.keyboard('Ahmad{Enter}')
    await user.click(screen.getByRole('button', { name: 'Actions for Ahmad' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove the name' }))
    expect(nameButton('Speaker A')).toBeVisible()
    await waitFor(() =>
      expect(server.stored).toEqual({ corrections: { names: {}, merged: {}, moved: [] }, version: 2 }),
    )
  })

  it('can be edited by keyboard from the menu, which leaves the focus in the field', async () => {
    const { user } = await show()
    screen.getByRole('button', { name: 'Actions for Speaker C' }).focus()
    await user.keyboard('{Enter}')
    const item = await screen.findByRole('menuitem', { name: 'Rename' })
    item.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await user.keyboard('Gul{Enter}')
    expect(nameButton('Gul')).toBeVisible()
  })
})

async function merge(user: Awaited<ReturnType<typeof show>>['user'], label: string, into: RegExp) {
  await user.click(screen.getByRole('button', { name: `Actions for ${label}` }))
  await user.click(await screen.findByRole('menuitem', { name: into }))
}

describe('merging speakers', () => {
  it('can be undone, and taken back by separating them', async () => {
    const { user, server } = await show()
    await merge(user, 'Speaker C', /Speaker A$/)
    expect(rows().map((row) => row.textContent)).toEqual(['ASpeaker A+ C0:17 90%', 'BSpeaker B0:02 10%'])
    await waitFor(() => expect(server.stored.corrections.merged).toEqual({ 'Speaker C': 'Speaker A' }))

    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).toHaveLength(3)
    await waitFor(() => expect(server.stored.corrections.merged).toEqual({}))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()

    await merge(user, 'Speaker C', /Speaker A$/)
    await user.click(screen.getByRole('button', { name: 'Actions for Speaker A' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Separate Speaker C' }))
    expect(rows()).toHaveLength(3)
  })

  it('keeps the name that one of them had', async () => {
    const { user } = await show()
    await user.click(nameButton('Speaker C'))
    await user.keyboard('Gul{Enter}')
    await merge(user, 'Gul', /Speaker A$/)
    expect(nameButton('Gul')).toBeVisible()
    expect(rows()).toHaveLength(2)
  })
})

describe('saving', () => {
  it('is retried after a failure', async () => {
    const { user, server } = await show()
    server.refuse = offline
    await merge(user, 'Speaker C', /Speaker A$/)
    expect(await screen.findByRole('alert')).toHaveTextContent('The last change to the speakers is not saved.')
    expect(rows()).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(server.stored.corrections.merged).toEqual({ 'Speaker C': 'Speaker A' })
  })

  it('can be discarded after a failure', async () => {
    const { user, server } = await show()
    server.refuse = () => failure(503, 'The database is unavailable.')
    await merge(user, 'Speaker C', /Speaker A$/)
    expect(await screen.findByRole('alert')).toHaveTextContent('The database is unavailable.')
    await user.click(screen.getByRole('button', { name: 'Discard the change' }))
    expect(rows()).toHaveLength(3)
  })

  it('shows what exactly the server does not accept, where it says so', async () => {
    const { user, server } = await show()
    server.refuse = () => failure(422, 'The request is invalid.', { details: ['A name has at most 60 characters.'] })
    await merge(user, 'Speaker C', /Speaker A$/)
    expect(await screen.findByRole('alert')).toHaveTextContent('A name has at most 60 characters.')
    expect(screen.queryByText(/The request is invalid/)).toBeNull()
  })

  it('shows the corrections of another tab where those came first', async () => {
    const { user, server } = await show()
    server.stored = { corrections: { names: { 'Speaker A': 'Zarghuna' }, merged: {}, moved: [] }, version: 5 }
    await merge(user, 'Speaker C', /Speaker A$/)
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody was faster.')
    expect(await screen.findByRole('button', { name: 'Rename Zarghuna' })).toBeVisible()
    expect(rows()).toHaveLength(3)
    await merge(user, 'Speaker C', /Zarghuna$/)
    await waitFor(() => expect(server.stored.version).toBe(6))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('sends rapid changes one after the other', async () => {
    const { user, server, calls } = await show()
    await merge(user, 'Speaker C', /Speaker A$/)
    await merge(user, 'Speaker B', /Speaker A$/)
    await waitFor(() => expect(server.stored.version).toBe(2))
    expect(calls.filter(({ key }) => key.startsWith('PUT')).map(({ body }) => body)).toMatchObject([
      { version: 0 },
      { version: 1, corrections: { merged: { 'Speaker B': 'Speaker A', 'Speaker C': 'Speaker A' } } },
    ])
  })
})
