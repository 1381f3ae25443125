import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { InstanceState as State } from '#contract/entities/instance-state.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { calmState as calm, calmDays, gibibyte, idleDays as idle } from '../testing/calm-state.ts'
import { InstanceState } from './instance-state.tsx'

const admin: User = { ...someUser, role: 'admin' }
function show(state: Partial<State>) {
  fakeServer({ 'GET /api/system/state': () => ({ body: { ...calm, ...state } }) })
  return renderAt('/admin/system', <InstanceState />, admin)
}

const tile = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  const item = heading.closest('li')
  if (!item) throw new Error(`${name} is no tile`)
  return item
}

it('says that everything works', async () => {
  show({})
  expect(await screen.findByText('Everything works.')).toBeVisible()
  expect(within(await tile('Queue')).getByText('Nothing waits')).toBeVisible()
  expect(within(await tile('Queue')).getByText('Last 24 hours: 12 ended, 1 failed.')).toBeVisible()
  expect(within(await tile('Database')).getByText('under 1 ms')).toBeVisible()
})

it('lists what needs attention with what to do, and marks the tile', async () => {
  const warning = { code: 'queue_old', severity: 'warning', title: 'A job waits', remedy: 'Start engines.' } as const
  const problem = { code: 'backup_old', severity: 'problem', title: 'An old backup', remedy: 'Make one.' } as const
  show({ warnings: [problem, warning], queue: { ...calm.queue, waiting: 1200, oldest_waiting_seconds: 7500 } })
  const items = within(await screen.findByRole('region', { name: 'Needs attention' })).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['An old backupMake one.', 'A job waitsStart engines.'])
  const icons = items.map((item) => within(item).getByRole('img'))
  expect(icons.map((icon) => icon.getAttribute('aria-label'))).toEqual(['Problem', 'Warning'])
  expect(icons[0]?.innerHTML).not.toBe(icons[1]?.innerHTML)
  expect((await tile('Queue')).dataset.severity).toBe('warning')
  expect((await tile('Backup')).dataset.severity).toBe('problem')
  expect((await tile('Disk')).dataset.severity).toBeUndefined()
  expect(within(await tile('Queue')).getByText('1,200 waiting')).toBeVisible()
  expect(within(await tile('Queue')).getByText('The oldest: 2 h 5 min.')).toBeVisible()
})

it('marks the tile of the disk that is full', async () => {
  const full = { severity: 'problem', title: 'Full', remedy: 'Free room.' } as const
  show({ warnings: [{ code: 'backup_disk_full', ...full }] })
  expect((await tile('Backup')).dataset.severity).toBe('problem')
  expect((await tile('Disk')).dataset.severity).toBeUndefined()
})

it.each([
  [null, 'No recording was added within 30 days.'],
  [0.5, 'Full within a day.'],
  [1.5, 'Full tomorrow at the pace of the last 30 days.'],
  [45.9, 'Full in 45 days at the pace of the last 30.'],
  [20_000, 'At the pace of the last 30 days it lasts for years.'],
])('says when the disk is full: %s', async (days_left, sentence) => {
  show({ disk: { ...calm.disk, days_left } })
  expect(within(await tile('Disk')).getByText(sentence)).toBeVisible()
})

const bytesOf: Record<string, number> = { '2026-01-05': 3 * gibibyte, '2026-01-10': gibibyte }

it('draws what was added on each day, and says it to who does not see it', async () => {
  const added = calmDays.map(({ day, bytes }) => ({ day, bytes: bytesOf[day] ?? bytes }))
  show({ disk: { ...calm.disk, added } })
  const name = 'Added in 30 days: 4.0 GB, most on 5 Jan 2026 with 3.0 GB'
  const chart = await screen.findByRole('slider', { name })
  expect(chart).toHaveAttribute('aria-valuetext', '30 Jan 2026: 0 B')
  const rows = within(screen.getByRole('table', { name })).getAllByRole('row')
  expect(rows).toHaveLength(31)
  expect(rows[5]).toHaveTextContent('5 Jan 20263.0 GB')
})

it('shows the figures of a day that the keys or the pointer choose', async () => {
  const special: Record<string, Partial<State['work'][number]>> = {
    '2026-01-28': { transcribed_seconds: 7200, transcription_work_seconds: 1800 },
    '2026-01-29': { waiting: 12, oldest_waiting_seconds: 7500 },
  }
  const work = idle.map((day) => ({ ...day, ...special[day.day] }))
  show({ work })
  const queue = within(await tile('Queue'))
  const chart = queue.getByRole('slider', { name: '30 days: at most 12 waited, on 29 Jan 2026' })
  chart.focus()
  await userEvent.keyboard('{ArrowLeft}')
  const chosen = '29 Jan 2026: at most 12 waited · the oldest for 2 h 5 min'
  expect(chart).toHaveAttribute('aria-valuetext', chosen)
  expect(queue.getByText(chosen)).toBeVisible()
  await userEvent.keyboard('{Home}')
  expect(chart).toHaveAttribute('aria-valuetext', '1 Jan 2026: not measured')

  const speed = within(await tile('Transcription'))
  expect(speed.getByText('4x real time (factor 0.25)', { selector: 'p' })).toBeVisible()
  const bar = Array.from(speed.getByRole('slider').children).at(-3)
  if (!bar) throw new Error('The chart has no bars')
  await userEvent.hover(bar)
  expect(speed.getByText('28 Jan 2026: 4x real time (factor 0.25) · 2 h 0 min of sound')).toBeVisible()
})

it('says so where there was no work', async () => {
  show({})
  for (const name of ['Transcription', 'Translation'])
    expect(within(await tile(name)).getByText('No work in the last 30 days.')).toBeVisible()
  expect(screen.queryByRole('slider')).not.toBeInTheDocument()
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

it('says nothing good of an older backup that restored while a newer one did not', async () => {
  const title = 'A backup could not be restored in a rehearsal'
  show({
    warnings: [{ code: 'rehearsal_failed', severity: 'problem', title, remedy: 'Make a new one.' }],
    backups: { is_scheduled: false, made_at: hoursAgo(3), failed_at: null, rehearsed_at: hoursAgo(1) },
  })
  const backup = within(await tile('Backup'))
  expect(backup.getByText(title)).toBeVisible()
  expect(backup.queryByText(/^Rehearsed/)).toBeNull()
})

it('says when backups were made, failed and rehearsed', async () => {
  show({
    backups: { is_scheduled: false, made_at: hoursAgo(3), failed_at: hoursAgo(50), rehearsed_at: hoursAgo(5) },
    disk: { ...calm.disk, backup: { free_bytes: 5 * gibibyte, size_bytes: 50 * gibibyte } },
  })
  const backup = within(await tile('Backup'))
  for (const text of [
    '3 hours ago',
    'No time of day is set for it.',
    'The last failure: 2 days ago.',
    'Rehearsed 5 hours ago.',
  ])
    expect(backup.getByText(text)).toBeVisible()
  expect(backup.getByText('5.0 GB free for backups.')).toBeVisible()
})

it('offers to try again where the state cannot be loaded', async () => {
  fakeServer({ 'GET /api/system/state': () => failure(500) })
  renderAt('/admin/system', <InstanceState />, admin)
  expect(await screen.findByText('The state of the instance could not be loaded.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
