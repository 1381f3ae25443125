import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { Response } from '#contract/endpoint.ts'
import type { upkeep } from '#contract/endpoints/upkeep.ts'
import type { Backup, FindingWithRecordings, UpkeepRun } from '#contract/entities/upkeep.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import * as clipboard from '../../../shared/clipboard.ts'
import * as download from '../../../shared/download.ts'
import { BackupsSection } from './backups-section.tsx'
import { ChecksSection } from './checks-section.tsx'
import { SupportArchive } from './support-archive.tsx'

const superAdmin: User = { ...someUser, role: 'super_admin' }
const at = '2026-01-02T03:04:05.000Z'
const keys = {
  checks: 'GET /api/admin/upkeep/checks',
  start: 'POST /api/admin/upkeep/checks',
  backups: 'GET /api/admin/upkeep/backups',
  archive: 'POST /api/auth/super-admin/support-archive',
}
type Checks = Response<typeof upkeep.checks>
type Backups = Response<typeof upkeep.backups>

const run: UpkeepRun = {
  id: 'a'.repeat(24),
  kind: 'checks',
  subject: null,
  started_at: at,
  stage: 'models',
  done: 5,
  total: 19,
  ended_at: null,
  outcome: null,
  problem: null,
}
const ended = { ...run, ended_at: at }
const problem: FindingWithRecordings = {
  code: 'backup.none',
  severity: 'problem',
  title: 'There is no finished backup in BACKUP_DIR',
  what: '/backups holds none.',
  why: 'A lost disk loses everything.',
  remedy: 'awaz backup, and BACKUP_TIME for one every day.',
  command: 'awaz backup',
}

function showChecks(checks: Partial<Checks>) {
  const body = { last: null, run: null, is_busy: false, ...checks }
  const calls = fakeServer({ [keys.checks]: () => ({ body }), [keys.start]: () => ({ status: 202, body: { run } }) })
  renderAt('/admin/system', <ChecksSection />, superAdmin)
  return calls
}

it('starts the checks, which were never made', async () => {
  const calls = showChecks({})
  expect(await screen.findByText(/^Not checked yet\./)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Check now' }))
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain(keys.start))
})

it('shows how far the checks are, and ends them', async () => {
  const calls = showChecks({ run, is_busy: true })
  expect(await screen.findByText('Check 5 of 19')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: 'Progress of the checks' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Check now' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain(`DELETE /api/admin/upkeep/runs/${run.id}`))
})

it('shows what is wrong, why it matters, and the command that mends it', async () => {
  const copy = vi.spyOn(clipboard, 'copyText').mockResolvedValue()
  showChecks({ last: { at, findings: [problem] }, run: { ...ended, outcome: 'done' } })
  const item = within(await screen.findByRole('listitem'))
  expect(item.getByRole('img', { name: 'Problem' })).toBeVisible()
  expect(screen.getByText(/: 1 issue\.$/)).toBeVisible()
  for (const text of [problem.title, problem.what, problem.why, problem.remedy, 'awaz backup'])
    expect(item.getByText(text)).toBeVisible()
  await userEvent.click(item.getByRole('button', { name: 'Copy the command' }))
  expect(copy).toHaveBeenCalledWith('awaz backup')
  expect(screen.queryByText('Everything is in order.')).not.toBeInTheDocument()
})

it('tells a warning from a note by its icon', async () => {
  const findings = (['note', 'warning'] as const).map((severity) => ({ ...problem, severity }))
  showChecks({ last: { at, findings }, run: { ...ended, outcome: 'done' } })
  const [warning, note] = await screen.findAllByRole('img')
  expect(warning).toHaveAccessibleName('Warning')
  expect(note).toHaveAccessibleName('Note')
  expect(warning?.innerHTML).not.toBe(note?.innerHTML)
})

it('says whose recordings a finding is about, and names those that the reader may read', async () => {
  const found = { owner: 'sara@example.org', uploaded_at: at }
  const recordings = [
    { ...found, id: '1'.repeat(24), name: 'call.wav', can_open: true },
    { ...found, id: '2'.repeat(24), name: null, can_open: false },
  ]
  showChecks({ last: { at, findings: [{ ...problem, recordings }] }, run: { ...ended, outcome: 'done' } })
  const link = await screen.findByRole('link', { name: 'call.wav' })
  expect(link).toHaveAttribute('href', `/transcribe?recording=${'1'.repeat(24)}`)
  expect(screen.getAllByText(/^recording of/).map(({ textContent }) => textContent)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('recording of sara@example.org, uploaded 2 Jan 2026')),
  )
  expect(screen.getByText('2'.repeat(24))).toBeVisible()
})

it('shows in the language of the reader what is found, and leaves commands and unknown sentences as they are', async () => {
  const texts = {
    [problem.title]: 'هیچ پشتیبان کاملی نیست',
    [problem.why]: 'همه چیز از دست می‌رود.',
    '[["1"]," doctor --fix makes them; so does a restart."]': ['فرمان ', ['1'], ' doctor --fix آن‌ها را می‌سازد.'],
    '[["1"]," is encrypted."]': [['1'], ' رمزگذاری شده است.'],
    'Give the passphrase.': 'عبارت عبور را بدهید.',
  }
  vi.stubGlobal('awazTexts', { language: 'fa', texts })
  const command = '/opt/awaz/awaz doctor --fix'
  const finding = {
    ...problem,
    what: 'SQLite lost 3 pages.',
    remedy: `${command} makes them; so does a restart.`,
    command,
  }
  const failed = { outcome: 'failed', problem: '/backups/a.tar.age is encrypted. Give the passphrase.' } as const
  showChecks({ last: { at, findings: [finding] }, run: { ...ended, ...failed } })
  expect(await screen.findByText('هیچ پشتیبان کاملی نیست')).toBeVisible()
  expect(screen.getByText('همه چیز از دست می‌رود.')).toBeVisible()
  // The left-to-right mark keeps the leading slash with its path.
  expect(screen.getByText('فرمان \u200E/opt/awaz/awaz doctor --fix آن‌ها را می‌سازد.')).not.toHaveAttribute('lang')
  expect(screen.getByText(command)).toBeVisible()
  expect(screen.getByText('SQLite lost 3 pages.')).toHaveAttribute('lang', 'en')
  expect(screen.getByText('\u200E/backups/a.tar.age رمزگذاری شده است. عبارت عبور را بدهید.')).toBeVisible()
  vi.unstubAllGlobals()
})

it('says that everything is in order where nothing needs action', async () => {
  showChecks({ last: { at, findings: [] }, run: { ...ended, outcome: 'done' } })
  expect(await screen.findByText('Everything is in order.')).toBeVisible()
})

it.each([
  [{ outcome: 'failed', problem: 'There is no database.' } as const, 'There is no database.'],
  [{ outcome: 'cancelled' } as const, 'It was cancelled.'],
  [{ outcome: 'interrupted' } as const, 'It was interrupted, because its server stopped.'],
])('says how the checks ended: %o', async (end, text) => {
  showChecks({ run: { ...ended, ...end } })
  expect(await screen.findByText(text)).toBeVisible()
})

it('offers to try again where the checks cannot be loaded', async () => {
  fakeServer({ [keys.checks]: () => failure(500) })
  renderAt('/admin/system', <ChecksSection />, superAdmin)
  expect(await screen.findByText('The checks could not be loaded.')).toBeVisible()
})

const backup: Backup = {
  name: 'awaz-20260101T020000Z.tar.age',
  made_at: at,
  version: '0.2.0',
  encryption: 'passphrase',
  documents: 10,
  recordings: 3,
  faulty_recordings: 0,
  damaged_documents: 0,
  size_bytes: 2 * 1024 ** 3,
  new_bytes: 1024 ** 2,
  rehearsed: null,
  can_open: true,
  rehearse_command: 'awaz backup rehearse FILE',
}
const rehearseKey = `POST /api/admin/upkeep/backups/${backup.name}/rehearsals`

function showBackups(backups: Partial<Backups>) {
  const empty: Backups = {
    folder: '/backups',
    problem: null,
    backups: [],
    unreadable: 0,
    last: null,
    run: null,
    is_busy: false,
  }
  const calls = fakeServer({
    [keys.backups]: () => ({ body: { ...empty, ...backups } }),
    [rehearseKey]: () => failure(409, 'A rehearsal is under way.'),
  })
  renderAt('/admin/system', <BackupsSection />, superAdmin)
  return calls
}

it('rehearses a backup that can be opened, and says why it cannot', async () => {
  showBackups({ backups: [backup] })
  const item = within(await screen.findByRole('listitem'))
  expect(item.getByText('3 recordings, 2.0 GB, of it 1.0 MB new. Awaz 0.2.0.')).toBeVisible()
  expect(item.getByText('Not rehearsed')).toBeVisible()
  await userEvent.click(item.getByRole('button', { name: /^Rehearse now:/ }))
  expect(await screen.findByText('A rehearsal is under way.')).toBeVisible()
})

it('says what of a backup was missing or damaged when it was made', async () => {
  showBackups({ backups: [{ ...backup, faulty_recordings: 2, damaged_documents: 1 }] })
  const item = within(await screen.findByRole('listitem'))
  expect(item.getByText('The sound of 2 recordings was missing or damaged.')).toBeVisible()
  expect(item.getByText('1 document of the database was damaged.')).toBeVisible()
})

it('shows the command where the key of a backup is elsewhere', async () => {
  showBackups({ backups: [{ ...backup, encryption: 'recipients', can_open: false }] })
  await userEvent.click(await screen.findByText('Rehearse it elsewhere'))
  expect(screen.getByText('awaz backup rehearse FILE')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Rehearse now:/ })).not.toBeInTheDocument()
})

it('shows what the last rehearsal compared', async () => {
  const check = { expected: '3', found: '3', is_passed: true }
  showBackups({
    backups: [{ ...backup, rehearsed: { at, is_passed: false } }],
    last: {
      at,
      name: backup.name,
      checks: [
        { ...check, code: 'documents', name: 'documents in users' },
        { ...check, code: 'documents', name: 'documents in jobs', found: '2', is_passed: false },
        { code: 'audio', name: 'audio', expected: '3 as uploaded', found: '3 as uploaded', is_passed: true },
      ],
    },
  })
  expect(
    await screen.findByText(/^The rehearsal of the backup of 1 Jan 2026.*:00 failed .*: 1 check of 3\.$/),
  ).toBeVisible()
  const rows = (await screen.findAllByRole('row')).map(({ textContent }) => textContent)
  expect(rows.slice(1)).toEqual([
    'Collections with all their documentsfailed21',
    'Documents in jobsfailed32',
    'Sound files, drawn at randompassed3 as uploaded3 as uploaded',
  ])
})

it.each([
  [{ folder: null }, /^No folder for backups is set/],
  [{}, 'There is no finished backup yet.'],
  [{ problem: 'The folder /backups cannot be read.' }, 'The folder /backups cannot be read.'],
  [{ unreadable: 2 }, '2 records of backups are damaged. The checks say which.'],
  [
    { run: { ...run, kind: 'rehearsal', stage: 'Restoring the database', done: null, total: null } as const },
    'Restoring the database',
  ],
])('says what there is in place of backups: %o', async (backups, text) => {
  showBackups(backups)
  expect(await screen.findByText(text)).toBeVisible()
})

it('lists the files of a support archive before it is downloaded', async () => {
  const save = vi.spyOn(download, 'downloadFile').mockReturnValue()
  const files = [{ name: 'README.txt', size_bytes: 2048 }]
  const archive = { file_name: 'awaz-support.zip', files, size_bytes: 1024, sha256: 'ab', base64: btoa('zip') }
  fakeServer({ [keys.archive]: () => ({ body: archive }) })
  renderAt('/admin/system', <SupportArchive />, superAdmin)
  await userEvent.click(screen.getByRole('button', { name: 'Support archive' }))
  expect(await screen.findByRole('row', { name: 'README.txt 2.0 KB' })).toBeVisible()
  expect(save).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  const [name, content] = save.mock.calls[0] ?? []
  expect([name, content instanceof Blob && (await content.text())]).toEqual(['awaz-support.zip', 'zip'])
})

it('offers to try again where the support archive could not be made', async () => {
  fakeServer({ [keys.archive]: () => failure(409, 'Checks are under way.', { help: 'Wait.' }) })
  renderAt('/admin/system', <SupportArchive />, superAdmin)
  await userEvent.click(screen.getByRole('button', { name: 'Support archive' }))
  expect(await screen.findByText('Checks are under way. Wait.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
