import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Response } from '#contract/endpoint.ts'
import type { system } from '#contract/endpoints/system.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SystemPage } from './system-page.tsx'

const admin: User = { ...someUser, role: 'admin' }
const key = 'GET /api/system'
type Status = Response<typeof system.status>

const engine: Status['engines'][number] = {
  id: 'a'.repeat(24),
  host: 'kabul',
  pid: 4711,
  started_at: '2026-01-02T03:04:05.000Z',
  seen_at: '2026-01-02T03:04:05.000Z',
  version: '0.1.0',
  revision: 'b384c64',
  components: [
    { name: 'Node.js', version: '24.21.0' },
    { name: 'ffmpeg', version: null },
  ],
  threads: 4,
  model: { id: 'small', name: 'Whisper small', kind: 'speech' },
  device: 'whisper.cpp 1.9.3',
  speeds: [{ model: 'Whisper small', real_time_factor: 0.25, audio_seconds: 60 }],
  problem: null,
  speech_model: 'Whisper small',
  translation_model: null,
  job: { id: 'b'.repeat(24), kind: 'transcribe', progress: 0.42, attempt: 1, started_at: null },
}

const server: Status['speech_servers'][number] = {
  address: 'http://10.0.0.5:8000',
  models: ['whisper-1'],
  is_reachable: false,
  in_flight: 0,
  completed: 12,
  failed: 3,
  real_time_factor: 0.1,
  tokens_per_second: null,
  last_error: { message: 'connection refused', at: '2026-01-02T03:04:05.000Z' },
  retry_at: '2026-01-02T03:05:05.000Z',
}

function makeStatus(overrides: Partial<Status> = {}): Status {
  return {
    version: '0.1.0',
    revision: 'b384c64',
    components: [{ name: 'Node.js', version: '24.21.0' }],
    database: { is_embedded: true, version: '3.51.1' },
    queued_jobs: 3,
    running_jobs: 1,
    engines: [engine],
    speech_servers: [],
    translation_servers: [],
    mail: { ok: true, message: 'the mail server answers' },
    library: null,
    ...overrides,
  }
}

function show(body: () => unknown) {
  fakeServer({ [key]: () => ({ body: body() }) })
  return renderAt('/admin/system', <SystemPage />, admin)
}

it('says what becomes of mails without a mail server', async () => {
  show(() => makeStatus({ mail: { ok: true, message: 'mails are kept in the outbox' } }))
  expect(await screen.findByText('Mails are kept in the outbox.')).toBeVisible()
})

it('says that the mail server does not answer, and what becomes of mails meanwhile', async () => {
  show(() => makeStatus({ mail: { ok: false, message: 'the mail server does not answer' } }))
  expect(await screen.findByText('The mail server does not answer.')).toBeVisible()
  expect(screen.getByText(/Mails wait in the outbox/)).toBeVisible()
})

it('says when the library was checked, and what was repaired', async () => {
  const repaired = { entries: 3, search: 0, alerts: 1, jobs: 1, hits: 0, cases: 0 }
  const checked_at = new Date(Date.now() - 7_200_000).toISOString()
  show(() => makeStatus({ library: { checked_at, recordings: 1, repaired, failed: 1, repaired_ever: 9 } }))
  expect(
    await screen.findByText(
      'Lists, search, alerts, jobs and cases of 1 recording checked 2 hours ago: 5 repaired, 9 in all checks.',
    ),
  ).toBeVisible()
  expect(screen.getByText('1 repair failed')).toBeVisible()
})

it('says that the library was not checked yet', async () => {
  show(() => makeStatus({ library: null }))
  expect(await screen.findByText(/^Not checked yet/)).toBeVisible()
})

it('shows each engine with its models, its speed and the progress of its job', async () => {
  show(() => makeStatus())
  const item = within(
    (await screen.findByRole('heading', { name: 'kabul, process 4711' })).closest('li') as HTMLElement,
  )
  expect(item.getByText('Working')).toBeVisible()
  expect(item.getByText('Transcription, 42%')).toBeVisible()
  expect(item.getByRole('progressbar', { name: 'Progress of the transcription' })).toHaveAttribute(
    'aria-valuenow',
    '42',
  )
  expect(item.getByText('Whisper small on whisper.cpp 1.9.3')).toBeVisible()
  expect(item.getByText('4x real time (factor 0.25)')).toBeVisible()
  expect(screen.getByText('1 job under way, 3 waiting. Awaz 0.1.0.')).toBeVisible()
})

/** Returns the rows that the Versions section shows for the server or the engines with this title. */
async function readVersions(title: string) {
  const section = within(await screen.findByRole('region', { name: 'Versions' }))
  const item = section.getByRole('heading', { name: title }).closest('li') as HTMLElement
  return Array.from(item.querySelectorAll('dl > div'), (row) => Array.from(row.children, (cell) => cell.textContent))
}

it('shows what the server and each engine run, engines that run the same together', async () => {
  const newer = { ...engine, id: 'c'.repeat(24), host: 'herat', version: '0.2.0' }
  const engines = [engine, { ...engine, id: 'd'.repeat(24), host: 'balkh' }, newer]
  show(() => makeStatus({ engines }))
  expect(await readVersions('Server')).toEqual([
    ['Awaz', '0.1.0'],
    ['Commit', 'b384c64'],
    ['Database', 'embedded, SQLite 3.51.1'],
    ['Node.js', '24.21.0'],
  ])
  expect(await readVersions('2 engines on kabul and balkh')).toEqual([
    ['Awaz', '0.1.0'],
    ['Commit', 'b384c64'],
    ['Node.js', '24.21.0'],
    ['ffmpeg', 'not found'],
  ])
  expect(await readVersions('Engine on herat')).toContainEqual(['Awaz', '0.2.0'])
  expect(screen.getAllByText('Another version')).toHaveLength(1)
})

it('names MongoDB, and an engine that does not say what it runs', async () => {
  const old = { ...engine, version: null, revision: null, components: [] }
  show(() => makeStatus({ engines: [old], database: { is_embedded: false, version: '8.0.4' } }))
  expect(await readVersions('Server')).toContainEqual(['Database', 'MongoDB 8.0.4'])
  expect(await readVersions('Engine on kabul')).toEqual([['Awaz', 'older than this server']])
})

it('shows the problem of an engine that takes no recordings', async () => {
  show(() => makeStatus({ engines: [{ ...engine, job: null, problem: 'The folder is another one.' }] }))
  expect((await screen.findByText('The folder is another one.')).closest('[role=alert]')).toBeVisible()
  expect(screen.getByText('Problem')).toBeVisible()
})

it('shows each transcription server, whether it is reachable and its last error', async () => {
  show(() =>
    makeStatus({ speech_servers: [server, { ...server, address: 'http://10.0.0.6:8000', is_reachable: true }] }),
  )
  const item = within((await screen.findByRole('heading', { name: server.address })).closest('li') as HTMLElement)
  expect(item.getByText('Not reachable')).toBeVisible()
  expect(item.getByText(/^connection refused/)).toBeVisible()
  expect(item.getByText('whisper-1')).toBeVisible()
  expect(screen.getByText('Reachable')).toBeVisible()
})

it('shows each translation server with its speed', async () => {
  const translation = {
    ...server,
    is_reachable: true,
    real_time_factor: null,
    tokens_per_second: 41.27,
    last_error: null,
  }
  show(() => makeStatus({ translation_servers: [{ ...translation, models: ['gemma-4-e4b'] }] }))
  const item = within((await screen.findByRole('heading', { name: server.address })).closest('li') as HTMLElement)
  expect(item.getByText('gemma-4-e4b')).toBeVisible()
  expect(item.getByText('41.3 tokens a second')).toBeVisible()
  expect(screen.getByText('None are set: the engines transcribe by themselves.')).toBeVisible()
})

it('explains that no engine runs', async () => {
  show(() => makeStatus({ engines: [] }))
  expect(await screen.findByRole('heading', { name: 'No engine is running' })).toBeVisible()
  expect(screen.getByText('None are set: the engines transcribe by themselves.')).toBeVisible()
  expect(screen.getByText('None are set: the engines translate by themselves.')).toBeVisible()
})

it('leads to its sections, and moves the focus there', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  const { user } = show(() => makeStatus())
  await screen.findByText('Working')
  await user.click(screen.getByRole('button', { name: 'On this page' }))
  const items = await screen.findAllByRole('menuitem')
  // Checks and backups are for super admins.
  expect(items.map(({ textContent }) => textContent)).not.toContain('Checks')
  await user.click(screen.getByRole('menuitem', { name: 'Library' }))
  expect(screen.getByRole('heading', { name: 'Library' })).toHaveFocus()
  expect(scroll.mock.contexts).toContain(screen.getByRole('heading', { name: 'Library' }))
})

it('updates itself by polling', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isIdle = false
  show(() => makeStatus({ engines: [isIdle ? { ...engine, job: null } : engine] }))
  expect(await screen.findByText('Working')).toBeVisible()
  isIdle = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('Idle')).toBeVisible()
  vi.useRealTimers()
})

it('offers to try again after an error', async () => {
  let isBroken = true
  fakeServer({ [key]: () => (isBroken ? failure(500) : { body: makeStatus() }) })
  const { user } = renderAt('/admin/system', <SystemPage />, admin)
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByText('Working')).toBeVisible()
})

it('keeps the last state while the server cannot be reached, with a notice', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isBroken = false
  fakeServer({ [key]: () => (isBroken ? failure(500) : { body: makeStatus() }) })
  renderAt('/admin/system', <SystemPage />, admin)
  await screen.findByText('Working')
  isBroken = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('This is not up to date')).toBeVisible()
  expect(screen.getByText('Working')).toBeVisible()
  vi.useRealTimers()
})

it('denies access to users', () => {
  fakeServer({})
  renderAt('/admin/system', <SystemPage />, someUser)
  expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})
