import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { InstanceState as State } from '#contract/entities/instance-state.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { InstanceState } from './instance-state.tsx'

const admin: User = { ...someUser, role: 'admin' }
const gibibyte = 1024 ** 3
const days = Array.from({ length: 30 }, (_, day) => ({ day: `2026-01-${String(day + 1).padStart(2, '0')}`, bytes: 0 }))

const calm: State = {
  warnings: [],
  queue: { waiting: 0, oldest_waiting_seconds: 0, ended_last_day: 12, failed_last_day: 1 },
  database_response_ms: 0.4,
  disk: {
    data: { free_bytes: 60 * gibibyte, size_bytes: 80 * gibibyte },
    backup: null,
    days_left: null,
    added: days,
  },
  backups: { is_scheduled: true, made_at: null, failed_at: null, rehearsed_at: null },
  certificate_ends_at: null,
  failed_sign_ins_last_hour: 0,
}

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
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Problem: An old backupMake one.',
    'Warning: A job waitsStart engines.',
  ])
  expect((await tile('Queue')).dataset.severity).toBe('warning')
  expect((await tile('Backup')).dataset.severity).toBe('problem')
  expect((await tile('Disk')).dataset.severity).toBeUndefined()
  expect(within(await tile('Queue')).getByText('1,200 waiting')).toBeVisible()
  expect(within(await tile('Queue')).getByText('The oldest: 2 h 5 min.')).toBeVisible()
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
  const added = days.map(({ day, bytes }) => ({ day, bytes: bytesOf[day] ?? bytes }))
  show({ disk: { ...calm.disk, added } })
  const chart = await screen.findByRole('img', {
    name: 'Added in 30 days: 4.0 GB, most on 5 Jan 2026 with 3.0 GB',
  })
  expect(chart.querySelectorAll('rect')).toHaveLength(30)
})

it('says when backups were made, failed and rehearsed', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
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
