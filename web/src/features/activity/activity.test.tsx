import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingActivity } from '#contract/recording-activity.ts'
import { renderDesk } from '../../testing/desk-screen.tsx'
import { failure } from '../../testing/fake-server.ts'
import { makeListed, renderLibrary } from '../../testing/library.tsx'
import { makeRecording } from '../../testing/transcripts.ts'

const recording = makeListed(1, { name: 'زنگ ۱.wav' })
const path = `GET /api/recordings/${recording.id}/activity`
const you = { id: '1'.repeat(24), name: 'Nadia Ahmadi', is_you: true }
const member = { id: '2'.repeat(24), name: 'سارا کریمی', is_you: false }
let made = 0

function makeEntry(overrides: Partial<RecordingActivity> = {}): RecordingActivity {
  made += 1
  const id = made.toString(16).padStart(24, '0')
  return { id, at: '2026-11-21T09:41:00.000Z', action: 'recording.open', who: you, details: '', ...overrides }
}

const page = (entries: RecordingActivity[], at = 1, pages = 1) => ({
  body: { entries, total: entries.length, page: at, per_page: 50, pages },
})

async function openFromMenu({ user }: { user: ReturnType<typeof renderLibrary>['user'] }) {
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Activity' }))
  return within(await screen.findByRole('dialog', { name: 'Activity' }))
}

it('shows by day who did what with a recording, and when', async () => {
  const entries = [
    makeEntry({ action: 'recording.delete', who: null, details: 'trash', at: '2026-11-22T12:00:00.000Z' }),
    makeEntry({ who: member, details: 'member with view' }),
    makeEntry({ action: 'recording.export', details: 'docx, en' }),
  ]
  const dialog = await openFromMenu(renderLibrary([recording], { [path]: () => page(entries) }))
  const [newest, before] = await dialog.findAllByRole('region')
  expect(dialog.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('22'),
    expect.stringContaining('21'),
  ])
  const [deleted] = within(newest as HTMLElement).getAllByRole('listitem')
  expect(deleted).toHaveTextContent(/Recording deleted for good.*by Awaz.*its time in the trash was over/)
  const [opened, exported] = within(before as HTMLElement).getAllByRole('listitem')
  expect(opened).toHaveTextContent(/Recording opened.*by سارا کریمی.*as a member of a case/)
  expect(exported).toHaveTextContent(/Recording exported.*by you.*docx, English/)
  expect(exported?.querySelector('time')).toHaveAttribute('dateTime', '2026-11-21T09:41:00.000Z')
})

it('shows more when asked, and an entry that moved to the next page once', async () => {
  const [first, last] = [makeEntry({ action: 'recording.tag', details: '1 tag added' }), makeEntry()]
  const view = renderLibrary([recording], {
    [path]: ({ url }) =>
      new URL(url, 'http://x').searchParams.get('page') === '2' ? page([first, last], 2, 2) : page([first], 1, 2),
  })
  const dialog = await openFromMenu(view)
  expect(await dialog.findAllByRole('listitem')).toHaveLength(1)
  await view.user.click(dialog.getByRole('button', { name: 'Show more' }))
  expect(await dialog.findByText('Recording opened')).toBeVisible()
  expect(dialog.getAllByRole('listitem')).toHaveLength(2)
  expect(dialog.queryByRole('button', { name: 'Show more' })).toBeNull()
})

it('says when nothing is recorded yet', async () => {
  const dialog = await openFromMenu(renderLibrary([recording], { [path]: () => page([]) }))
  expect(await dialog.findByText('Nothing is recorded yet.')).toBeVisible()
})

it('says when it could not be loaded, and tries again', async () => {
  let isBroken = true
  const view = renderLibrary([recording], {
    [path]: () => (isBroken ? failure(503, 'The database is not there') : page([makeEntry()])),
  })
  const dialog = await openFromMenu(view)
  expect(await dialog.findByRole('alert')).toHaveTextContent('The database is not there')
  isBroken = false
  await view.user.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText('Recording opened')).toBeVisible()
})

it('opens from the details of the desk for the owner, and not for a member', async () => {
  const shown = makeRecording(null)
  const { user, unmount } = await renderDesk(shown, {
    [`GET /api/recordings/${shown.id}/activity`]: () => page([makeEntry()]),
  })
  await user.click(screen.getByRole('button', { name: 'Details' }))
  await user.click(await screen.findByRole('button', { name: 'Activity' }))
  expect(await screen.findByText('Recording opened')).toBeVisible()
  unmount()
  const other = await renderDesk(makeRecording(null, { access: 'view' }))
  await other.user.click(screen.getByRole('button', { name: 'Details' }))
  expect(await screen.findByText(/^Uploaded/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Activity' })).toBeNull()
})
