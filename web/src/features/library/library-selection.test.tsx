import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findRow, makeListed, renderLibrary, respondWithPage } from '../../testing/library.tsx'

const many = Array.from({ length: 312 }, (_, index) => makeListed(index + 1))
const removal = 'POST /api/library/remove'

async function renderMany(handlers: Parameters<typeof renderLibrary>[1] = {}) {
  const view = renderLibrary(many, {
    [removal]: ({ body }) => {
      const { selection } = body as { selection: { ids: string[] } } // as the page sends it
      return { body: { removed: selection.ids.length, ids: selection.ids, restorable_until: '2026-11-02T10:00:00Z' } }
    },
    'POST /api/library/restore': () => ({ body: { restored: 1 } }),
    ...handlers,
  })
  await findRow('call-1.wav')
  return view
}

function selectedNames() {
  return screen.getAllByRole('row', { selected: true }).map((row) => within(row).getByRole('link').textContent)
}

async function expectCount(text: string) {
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  await waitFor(() => expect(bar.getByRole('status')).toHaveTextContent(text))
}

describe('selection by mouse', () => {
  it('is one row, one more with its checkbox, a range with Shift', async () => {
    const { user } = await renderMany()
    await user.click(within(await findRow('call-2.wav')).getByText('2:00'))
    expect(selectedNames()).toEqual(['call-2.wav'])
    await user.click(screen.getByRole('checkbox', { name: 'Select call-4.wav' }))
    expect(selectedNames()).toEqual(['call-2.wav', 'call-4.wav'])
    await user.keyboard('{Shift>}')
    await user.click(within(await findRow('call-6.wav')).getByText('6:00'))
    await user.keyboard('{/Shift}')
    await waitFor(() => expect(selectedNames()).toEqual(['call-2.wav', 'call-4.wav', 'call-5.wav', 'call-6.wav']))
    await expectCount('4 recordings selected')
    await user.click(screen.getByRole('button', { name: 'Clear selection (Esc)' }))
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })

  it('is everything that the filter shows by the box above', async () => {
    const { user } = await renderMany()
    await user.click(screen.getByRole('checkbox', { name: 'Select all 312 recordings' }))
    await expectCount('All 312 recordings selected')
    await user.click(screen.getByRole('checkbox', { name: 'Select call-3.wav' }))
    await expectCount('311 recordings selected')
  })

  it('ends when another filter shows other recordings', async () => {
    const { user } = await renderMany()
    await user.click(screen.getByRole('checkbox', { name: 'Select call-1.wav' }))
    await user.click(screen.getByRole('button', { name: 'Language' }))
    await user.click(await screen.findByRole('menuitemcheckbox', { name: /Pashto/ }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
  })
})

describe('the keyboard', () => {
  async function focusFirst() {
    const view = await renderMany()
    const row = await findRow('call-1.wav')
    row.focus()
    return view
  }

  it('moves between rows, selects with Space and Shift, everything with Ctrl+A, nothing with Escape', async () => {
    const { user } = await focusFirst()
    await user.keyboard('{ArrowDown}')
    await waitFor(async () => expect(await findRow('call-2.wav')).toHaveFocus())
    await user.keyboard(' ')
    expect(selectedNames()).toEqual(['call-2.wav'])
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    await waitFor(() => expect(selectedNames()).toEqual(['call-2.wav', 'call-3.wav']))
    await user.keyboard('{Control>}a{/Control}')
    await expectCount('All 312 recordings selected')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })

  it('opens the recording with Enter', async () => {
    const { user } = await focusFirst()
    await user.keyboard('{Enter}')
    expect(screen.getByTestId('address')).toHaveTextContent(`/transcribe?recording=${many[0]?.id}`)
  })

  it('renames in place with F2: Enter saves, Escape does not, and the row has the focus again', async () => {
    const { user, calls } = await renderMany({
      [`PATCH /api/recordings/${many[0]?.id}`]: () => ({ body: many[0] }),
    })
    const row = await findRow('call-1.wav')
    row.focus()
    await user.keyboard('{F2}')
    const field = screen.getByRole('textbox', { name: 'New name of call-1.wav' })
    expect(field).toHaveFocus()
    await user.keyboard('discarded{Escape}')
    await waitFor(() => expect(row).toHaveFocus())
    await user.keyboard('{F2}')
    await user.clear(screen.getByRole('textbox', { name: 'New name of call-1.wav' }))
    await user.keyboard('ملاقات.wav{Enter}')
    await waitFor(() => expect(calls.map(({ key }) => key)).toContain(`PATCH /api/recordings/${many[0]?.id}`))
    expect(calls.filter(({ key }) => key.startsWith('PATCH')).map(({ body }) => body)).toEqual([{ name: 'ملاقات.wav' }])
    await waitFor(() => expect(row).toHaveFocus())
  })

  it('belongs to the field while a name is changed', async () => {
    const { user, sent } = await focusFirst()
    await user.keyboard('{F2}')
    const field = screen.getByRole('textbox', { name: 'New name of call-1.wav' })
    await user.keyboard('{Home}{Delete}{ArrowDown}')
    expect(field).toHaveFocus()
    expect(field).toHaveValue('all-1.wav')
    expect(sent(removal)).toBeUndefined()
  })

  it('deletes with Del', async () => {
    const { user, sent } = await focusFirst()
    await user.keyboard('{Delete}')
    await waitFor(() => expect(sent(removal)).toEqual({ selection: { ids: [many[0]?.id] } }))
  })
})

describe('what is done with recordings', () => {
  it('is deleted at once, and restored by Undo', async () => {
    const { user, sent } = await renderMany()
    await user.click(screen.getByRole('button', { name: 'Actions for call-2.wav' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    expect(await screen.findByText('Recording moved to the trash')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent('POST /api/library/restore')).toEqual({ ids: [many[1]?.id] }))
    expect(await screen.findByText('Recording restored')).toBeVisible()
  })

  it('is renamed from its menu', async () => {
    const { user, sent } = await renderMany({ [`PATCH /api/recordings/${many[1]?.id}`]: () => ({ body: many[1] }) })
    await user.click(screen.getByRole('button', { name: 'Actions for call-2.wav' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    const field = await screen.findByRole('textbox', { name: 'New name of call-2.wav' })
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(field).toHaveFocus()
    await user.keyboard('{Control>}a{/Control}bridge{Enter}')
    await waitFor(() => expect(sent(`PATCH /api/recordings/${many[1]?.id}`)).toBeDefined())
  })

  it('asks before many are deleted, and names them as the filter', async () => {
    const { user, sent } = await renderMany({
      [removal]: () => ({ body: { removed: 312, ids: [], restorable_until: '2026-11-02T10:00:00Z' } }),
    })
    await user.click(screen.getByRole('checkbox', { name: 'Select all 312 recordings' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete 312 recordings' }))
    expect(sent(removal)).toBeUndefined()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent(removal)).toMatchObject({ selection: { filter: { tags: [] }, except: [] } }))
  })

  it('stays selected where a batch was started with it', async () => {
    const batch = {
      id: 'a'.repeat(24),
      state: 'running',
      transcribe: { language: 'ps', channel_languages: null },
      target_languages: [],
      redo: false,
      total: 1,
      counts: { waiting: 1, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0 },
      created_at: '2026-01-02T03:04:05.000Z',
      finished_at: null,
    }
    const { user, sent } = await renderMany({ 'POST /api/batches': () => ({ status: 201, body: batch }) })
    await user.click(screen.getByRole('checkbox', { name: 'Select call-2.wav' }))
    await user.click(await screen.findByRole('button', { name: 'Transcribe…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transcribe 1 recording' }))
    await user.click(dialog.getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent('POST /api/batches')).toMatchObject({ selection: { ids: [many[1]?.id] } })
    await expectCount('1 recording selected')
    expect(selectedNames()).toEqual(['call-2.wav'])
  })

  it('gets tags and loses others', async () => {
    const tagged = makeListed(1, { tags: ['border', 'old'] })
    const { user, sent } = renderLibrary([tagged], {
      'POST /api/library/tags': () => ({ body: { changed: 1 } }),
      'GET /api/library': ({ url }) => respondWithPage([tagged], url),
    })
    await findRow('call-1.wav')
    await user.click(screen.getByRole('button', { name: 'Actions for call-1.wav' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Tags…' }))
    const field = await screen.findByRole('combobox', { name: 'Tags' })
    await user.type(field, '{Backspace}north,')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent('POST /api/library/tags')).toEqual({
        selection: { ids: [tagged.id] },
        add: ['north'],
        remove: ['old'],
      }),
    )
  })
})
