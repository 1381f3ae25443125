import { describe, expect, test } from 'vitest'
import { warningCodes } from '#contract/entities/instance-state.ts'
import type { EngineRecord } from '#data/engines/engines.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import type { CheckOutcome } from '../readiness.ts'
import type { HostFacts } from './host-facts.ts'
import { findWarnings } from './warnings.ts'
import { healthIssues, type HealthIssueCode } from './health-issues.ts'
import type { WorkFacts } from './work-facts.ts'

const now = new Date('2026-03-01T12:00:00Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const gibibyte = 1024 ** 3
const ago = (ms: number) => new Date(now.getTime() - ms)
const inDays = (days: number) => ago(-days * dayMs)

const engine: EngineRecord = {
  id: 'one',
  host: 'kabul',
  pid: 1,
  ...makeHeartbeat(),
  startedAt: ago(dayMs),
  beatAt: now,
}
const unreachable = {
  address: 'http://10.0.0.5:8000',
  models: [],
  is_reachable: false,
  in_flight: 0,
  completed: 0,
  failed: 1,
  real_time_factor: null,
  tokens_per_second: null,
  last_error: null,
  retry_at: null,
}

const calmHost: HostFacts = {
  rooms: { data: { freeBytes: 100 * gibibyte, sizeBytes: 200 * gibibyte } },
  diskDaysLeft: Infinity,
  backups: { made: ago(hourMs), failed: undefined, rehearsed: ago(dayMs), notRestored: undefined },
  certificateEnd: undefined,
  failedSignInsLastHour: 0,
}
const calmWork: WorkFacts = {
  databaseResponseMs: 1,
  running: 0,
  queue: { waiting: 0, oldestWaitingMs: 0, abandoned: [] },
  outcomes: { failed: 0, ended: 0 },
  engines: [engine],
  unableEngines: 0,
  silentEngines: 0,
  otherVersionHosts: [],
}

interface Changes {
  host?: Partial<HostFacts>
  work?: Partial<WorkFacts>
  mail?: CheckOutcome['issue']
  time?: string
}

function find({ host, work, mail, time = '02:00' }: Changes) {
  return findWarnings({
    config: { backup: { folder: '/backup', time } },
    host: { ...calmHost, ...host },
    work: { ...calmWork, ...work },
    mail: { ok: mail === undefined, message: '', ...(mail && { issue: mail }) },
    now,
  })
}

test('an instance that is well has none', () => {
  expect(find({})).toEqual([])
})

const small = { freeBytes: gibibyte, sizeBytes: 200 * gibibyte }
const causes: [code: (typeof warningCodes)[number], title: string, changes: Changes][] = [
  ['no_engine', 'No engine is running', { work: { engines: [] } }],
  ['no_engine', 'No engine is able to work', { work: { unableEngines: 1 } }],
  ['engine_unable', '1 engine of 2 cannot work', { work: { engines: [engine, engine], unableEngines: 1 } }],
  ['engine_silent', '1 engine stopped unexpectedly in the last 24 hours', { work: { silentEngines: 1 } }],
  [
    'engine_version',
    'An engine on herat runs another version of Awaz than this server',
    { work: { otherVersionHosts: ['herat'] } },
  ],
  [
    'queue_old',
    'A job has waited for 61 minutes',
    { work: { queue: { ...calmWork.queue, oldestWaitingMs: hourMs + 60_000 } } },
  ],
  ['jobs_abandoned', '1 job under way without an engine', { work: { queue: { ...calmWork.queue, abandoned: ['a'] } } }],
  ['jobs_fail', '6 of 50 jobs of the last day failed', { work: { outcomes: { failed: 6, ended: 50 } } }],
  [
    'model_server_unreachable',
    '1 server for models cannot be reached',
    { work: { engines: [{ ...engine, ...makeHeartbeat({}, { speech_servers: [unreachable] }) }] } },
  ],
  ['database_slow', 'The database took 1.5 s for a small query', { work: { databaseResponseMs: 1500 } }],
  ['disk_full', 'The disk of DATA_DIR has less than 2 GiB left', { host: { rooms: { data: small }, diskDaysLeft: 1 } }],
  ['backup_disk_full', 'The disk of BACKUP_DIR has less than 2 GiB left', { host: { rooms: { backup: small } } }],
  ['disk_full_soon', 'The disk of DATA_DIR is full in 6 days', { host: { diskDaysLeft: 6.9 } }],
  ['backup_missing', 'There is no backup', { host: { backups: { ...calmHost.backups, made: undefined } } }],
  [
    'backup_old',
    'The last backup is 27 hours old',
    { host: { backups: { ...calmHost.backups, made: ago(27 * hourMs) } } },
  ],
  [
    'backup_failed',
    'The last backup failed',
    { host: { backups: { ...calmHost.backups, failed: now, made: ago(27 * hourMs) } } },
  ],
  [
    'rehearsal_failed',
    'A backup could not be restored in a rehearsal',
    { host: { backups: { ...calmHost.backups, rehearsed: now, notRestored: ago(hourMs / 2) } } },
  ],
  [
    'rehearsal_failed',
    'A backup could not be restored in a rehearsal',
    { host: { backups: { ...calmHost.backups, rehearsed: undefined, notRestored: now } } },
  ],
  [
    'rehearsal_old',
    'No backup was rehearsed within 40 days',
    { host: { backups: { ...calmHost.backups, rehearsed: ago(41 * dayMs) } } },
  ],
  [
    'rehearsal_old',
    'No backup was ever rehearsed',
    { host: { backups: { ...calmHost.backups, rehearsed: undefined } } },
  ],
  ['certificate_ends', 'The certificate of PUBLIC_URL ends in 13 days', { host: { certificateEnd: inDays(13.5) } }],
  ['certificate_ends', 'The certificate of PUBLIC_URL ends in 1 day', { host: { certificateEnd: inDays(1.5) } }],
  ['certificate_ends', 'The certificate of PUBLIC_URL ends within a day', { host: { certificateEnd: inDays(0.5) } }],
  ['certificate_ends', 'The certificate of PUBLIC_URL has expired', { host: { certificateEnd: ago(1) } }],
  ['mail_fails', 'The mail server does not answer', { mail: 'mail.silent' }],
  ['mail_fails', 'The mail server refuses the user name or password', { mail: 'mail.refuses_login' }],
  ['sign_ins_fail', '101 sign-ins failed within an hour', { host: { failedSignInsLastHour: 101 } }],
]

describe('one cause, one warning', () => {
  test.each(causes)('%s: %s', (code, title, changes) => {
    expect(find(changes).map((warning) => [warning.code, warning.title])).toEqual([[code, title]])
  })

  test('every warning has a cause here', () => {
    // What the checks found is no fact of these.
    expect(new Set([...causes.map(([code]) => code), 'checks_find'])).toEqual(new Set(warningCodes))
  })
})

describe('just within the limits there is none', () => {
  test.each<[string, Changes]>([
    ['a wait of an hour', { work: { queue: { ...calmWork.queue, oldestWaitingMs: hourMs } } }],
    ['a few failed jobs of few', { work: { outcomes: { failed: 5, ended: 5 } } }],
    ['a tenth of many jobs', { work: { outcomes: { failed: 6, ended: 60 } } }],
    ['a week until the disk is full', { host: { diskDaysLeft: 7 } }],
    ['a daily backup of yesterday', { host: { backups: { ...calmHost.backups, made: ago(26 * hourMs) } } }],
    ['a failure before the last backup', { host: { backups: { ...calmHost.backups, failed: ago(2 * hourMs) } } }],
    ['a certificate of 14 days', { host: { certificateEnd: inDays(14) } }],
    ['a hundred failed sign-ins', { host: { failedSignInsLastHour: 100 } }],
  ])('%s', (_, changes) => {
    expect(find(changes)).toEqual([])
  })
})

describe('severity and remedy are those of the checks', () => {
  const unableEngine = { engines: [engine, engine], unableEngines: 1 }
  test.each<[HealthIssueCode, Changes]>([
    ['certificate.ends_soon', { host: { certificateEnd: inDays(13.5) } }],
    ['certificate.expired', { host: { certificateEnd: inDays(4.5) } }],
    ['certificate.expired', { host: { certificateEnd: ago(1) } }],
    ['mail.silent', { mail: 'mail.silent' }],
    ['mail.untrusted', { mail: 'mail.untrusted' }],
    ['disk.full', { host: { rooms: { data: small } } }],
    ['engines.unable', { work: unableEngine }],
    ['jobs.failing', { work: { outcomes: { failed: 6, ended: 11 } } }],
    ['backup.none', { host: { backups: { ...calmHost.backups, made: undefined } } }],
    ['backup.rehearsal', { host: { backups: { ...calmHost.backups, rehearsed: undefined } } }],
  ])('of %s', (code, changes) => {
    const { severity, remedy } = healthIssues[code]
    expect(find(changes)).toMatchObject([{ severity, remedy }])
  })

  test('where the checks find nothing yet, it is a warning', () => {
    const other = { ...unreachable, address: 'http://10.0.0.6:8000', is_reachable: true }
    const servers = { engines: [{ ...engine, ...makeHeartbeat({}, { speech_servers: [unreachable, other] }) }] }
    const outcomes = { failed: 6, ended: 12 }
    for (const work of [servers, { outcomes }]) expect(find({ work })).toMatchObject([{ severity: 'warning' }])
  })
})

test('problems stand before warnings', () => {
  const found = find({ host: { diskDaysLeft: 1, backups: { ...calmHost.backups, made: ago(9 * dayMs) } } })
  expect(found.map(({ code }) => code)).toEqual(['backup_old', 'disk_full_soon'])
})
