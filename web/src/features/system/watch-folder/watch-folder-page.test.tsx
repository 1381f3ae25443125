import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Response } from '#contract/endpoint.ts'
import type { watchFolder } from '#contract/endpoints/watch-folder.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { WatchFolderPage } from './watch-folder-page.tsx'

type Status = Response<typeof watchFolder.status>

const admin: User = { ...someUser, role: 'admin' }
const superAdmin: User = { ...someUser, role: 'super_admin' }
const key = 'GET /api/auth/admin/watch-folder'
const bindKey = 'PUT /api/auth/super-admin/watch-folder'

const harbour: Status['folders'][number] = {
  name: 'Harbour',
  recipient: { kind: 'case', id: 'c'.repeat(24), name: 'Port', owner: 'nadia@example.org' },
  bound_at: '2026-01-02T03:04:05.000Z',
  is_present: true,
  waiting: 0,
  problems: [],
  problem_count: 0,
  last_taken_at: null,
}

function makeStatus(overrides: Partial<Status> = {}): Status {
  const checked_at = new Date().toISOString()
  return { folder: '/srv/calls', checked_at, waiting: 0, problems: [], folders: [harbour], ...overrides }
}

function show(status: Status, user = admin) {
  const calls = fakeServer({
    [key]: () => ({ body: status }),
    [bindKey]: () => ({ body: { message: 'done' } }),
  })
  return { calls, ...renderAt('/admin/watch-folder', <WatchFolderPage />, user) }
}

const item = async (name: string) => within((await screen.findByRole('heading', { name })).closest('li') as HTMLElement) // a heading of a list item

it('says that it is being loaded', () => {
  fakeServer({ [key]: () => new Promise(() => undefined) })
  renderAt('/admin/watch-folder', <WatchFolderPage />, admin)
  expect(screen.getByRole('status')).toHaveTextContent('Loading the watch folder')
})

it('offers to try again after an error', async () => {
  let isBroken = true
  fakeServer({ [key]: () => (isBroken ? failure(500) : { body: makeStatus() }) })
  const { user } = renderAt('/admin/watch-folder', <WatchFolderPage />, admin)
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('The watch folder could not be loaded.')).toBeVisible()
  isBroken = false
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'Harbour' })).toBeVisible()
})

it('says how a watch folder is set where there is none', async () => {
  show(makeStatus({ folder: null, checked_at: null, folders: [] }))
  expect(await screen.findByRole('heading', { name: 'No watch folder is set' })).toBeVisible()
  expect(screen.getByText('WATCH_DIR')).toBeVisible()
})

it('says how folders are named while there are none', async () => {
  show(makeStatus({ folders: [], checked_at: null }))
  expect(await screen.findByRole('heading', { name: 'There are no folders yet' })).toBeVisible()
  expect(screen.getByText(/not checked yet/)).toBeVisible()
})

it('shows by the present names whose the recordings of a folder become', async () => {
  const gone = { ...harbour, name: 'Quay', recipient: { ...harbour.recipient, kind: 'case', name: null, owner: null } }
  const own = {
    ...harbour,
    name: 'n@example.org',
    recipient: { ...harbour.recipient, kind: 'user', name: 'new@example.org' },
  }
  show(makeStatus({ folders: [harbour, gone, own] as Status['folders'] })) // spread of what may be null
  expect((await item('Harbour')).getByText('the case “Port” of nadia@example.org')).toBeVisible()
  expect((await item('Quay')).getByText('a deleted case')).toBeVisible()
  expect((await item('n@example.org')).getByText('new@example.org')).toBeVisible()
})

it('says what waits, why, and what to do', async () => {
  const problems = [
    { path: 'monday', reason: 'watch.json is not valid JSON. Correct it.' },
    { path: 'call.wav', reason: 'The server has no room left for this file' },
  ]
  show(makeStatus({ folders: [{ ...harbour, waiting: 7, problems, problem_count: 9 }] }))
  const folder = await item('Harbour')
  expect(folder.getByText('7 files')).toBeVisible()
  expect(folder.getByRole('alert')).toHaveTextContent('9 problems need attention')
  expect(folder.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'monday: watch.json is not valid JSON. Correct it.',
    'call.wav: The server has no room left for this file',
  ])
  expect(folder.getByText('And 7 more.')).toBeVisible()
})

it('keeps a right-to-left name of a file apart from the sentence about it', async () => {
  const problems = [{ path: 'ضبط.wav', reason: 'The server has no room left for this file' }]
  show(makeStatus({ folders: [{ ...harbour, problems, problem_count: 1 }] }))
  expect((await item('Harbour')).getByText('ضبط').parentElement).toHaveTextContent(/^ضبط\.wav$/)
})

it('shows that a folder belongs to nobody, and what lies where nobody gets it', async () => {
  const reason = '2 cases are named "Harbour". Name this folder by the id of one.'
  const unbound = { ...harbour, recipient: null, bound_at: null, problems: [{ path: '', reason }], problem_count: 1 }
  const loose = 'Put recordings into a folder.'
  show(makeStatus({ folders: [unbound], waiting: 1, problems: [{ path: '', reason: loose }] }))
  const folder = await item('Harbour')
  expect(folder.getByText('Not assigned')).toBeVisible()
  expect(folder.getByRole('alert')).toHaveTextContent(reason)
  expect(screen.getByText('There are files in the watch folder itself')).toBeVisible()
  expect(screen.getByText(loose)).toBeVisible()
})

it('says that no server looks at the folder, and that one is not there', async () => {
  const checked_at = new Date(Date.now() - 120_000).toISOString()
  show(makeStatus({ checked_at, folders: [{ ...harbour, is_present: false }] }))
  expect(await screen.findByText('No server is checking this folder')).toBeVisible()
  expect((await item('Harbour')).getByText('Missing')).toBeVisible()
})

it('lets a super admin bind a folder to another user or case', async () => {
  const { user, calls } = show(makeStatus(), superAdmin)
  await user.click(await screen.findByRole('button', { name: 'Change owner or case: Harbour' }))
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(screen.getByText('Enter an e-mail address or the id of a case')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: /E-mail address of a user/ }), 'new@example.org')
  await user.click(screen.getByRole('button', { name: 'Change' }))
  expect(await screen.findByText('Folder reassigned')).toBeVisible()
  const sent = calls.filter((each) => each.key === bindKey).map(({ body }) => body)
  expect(sent).toEqual([{ folder: 'Harbour', recipient: 'new@example.org' }])
})

it('lets a super admin have the name of a folder looked up again', async () => {
  const { user, calls } = show(makeStatus(), superAdmin)
  await user.click(await screen.findByRole('button', { name: 'Change owner or case: Harbour' }))
  await user.click(screen.getByRole('button', { name: 'Unbind' }))
  expect(await screen.findByText('Watch folder unbound')).toBeVisible()
  expect(calls.find((each) => each.key === bindKey)?.body).toEqual({ folder: 'Harbour', recipient: null })
})

it('lets no admin bind a folder, and denies access to users', async () => {
  const { unmount } = show(makeStatus())
  await screen.findByRole('heading', { name: 'Harbour' })
  expect(screen.queryByRole('button', { name: 'Change owner or case: Harbour' })).toBeNull()
  unmount()
  show(makeStatus(), someUser)
  expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
