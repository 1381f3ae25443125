import type { Page } from 'playwright-core'
import type { Response } from '#contract/endpoint.ts'
import type { upkeep } from '#contract/endpoints/upkeep.ts'
import type { InstanceState } from '#contract/entities/instance-state.ts'
import type { Backup } from '#contract/entities/upkeep.ts'
import { waitForDialog, type Scene } from './scene-tools.ts'

const troubledState: InstanceState = {
  warnings: [
    {
      code: 'backup_failed',
      severity: 'problem',
      title: 'The last backup failed',
      remedy: 'Mend what the audit trail says (page Audit, backup.create), then npm run awaz -- backup.',
    },
    {
      code: 'disk_full_soon',
      severity: 'warning',
      title: 'The disk of DATA_DIR is full in 4 days',
      remedy: 'Enlarge the disk, or set RETENTION_DAYS or QUOTA_BYTES.',
    },
    {
      code: 'queue_old',
      severity: 'warning',
      title: 'A job has waited for 3 hours',
      remedy:
        'Page System: are all engines at work? If so, more of them (docs/scale-out.md); if not, models for the language are missing.',
    },
  ],
  queue: { waiting: 1240, oldest_waiting_seconds: 11_000, ended_last_day: 812, failed_last_day: 3 },
  database_response_ms: 4,
  disk: {
    data: { free_bytes: 21e9, size_bytes: 480e9 },
    backup: { free_bytes: 900e9, size_bytes: 2e12 },
    days_left: 4.2,
    added: Array.from({ length: 30 }, (_, day) => ({
      day: `2026-01-${String(day + 1).padStart(2, '0')}`,
      bytes: day % 7 > 4 ? 0 : (day + 3) * 2e8,
    })),
  },
  backups: {
    is_scheduled: true,
    made_at: '2026-01-29T03:04:05.000Z',
    failed_at: '2026-01-30T03:04:05.000Z',
    rehearsed_at: '2026-01-12T03:04:05.000Z',
  },
  work: Array.from({ length: 30 }, (_, day) => ({
    day: `2026-01-${String(day + 1).padStart(2, '0')}`,
    waiting: day < 3 ? null : (day * 397) % 1240,
    oldest_waiting_seconds: day < 3 ? null : (day * 3571) % 11_000,
    transcribed_seconds: day % 7 > 4 ? 0 : (day + 3) * 4000,
    transcription_work_seconds: (day + 3) * 4000 * (0.2 + (day % 5) / 20),
    translated_lines: day % 7 > 4 ? 0 : (day + 3) * 90,
    translation_work_seconds: (day + 3) * (60 + (day % 4) * 15),
  })),
  certificate_ends_at: '2026-06-30T03:04:05.000Z',
  failed_sign_ins_last_hour: 7,
}

const run = {
  id: 'a'.repeat(24),
  kind: 'rehearsal',
  subject: 'awaz-20260129T030405Z.tar.age',
  started_at: '2026-01-30T03:04:05.000Z',
  stage: 'Restoring audio (files)',
  done: 120,
  total: 311,
  ended_at: null,
  outcome: null,
  problem: null,
} as const

const foundProblems: Response<typeof upkeep.checks> = {
  last: {
    at: '2026-01-30T03:04:05.000Z',
    findings: [
      {
        code: 'audio.damaged',
        severity: 'problem',
        title: 'Sound files are not what was uploaded, by their SHA-256',
        what: `The sound of 1 recording (${'6'.repeat(24)}) is not what was uploaded. Of 311 files 20 were hashed.`,
        recordings: [
          {
            id: '6'.repeat(24),
            name: 'call of Monday.wav',
            owner: 'sara.of.a.long.name@ministry.example.org',
            uploaded_at: '2026-01-12T03:04:05.000Z',
            can_open: true,
          },
        ],
        why: 'The disk lost bits, or somebody changed the file: it is no evidence any more.',
        remedy:
          '/opt/awaz/awaz doctor --all checks every file. /opt/awaz/awaz restore FILE --recording ID restores the sound of one recording from a backup, --all-damaged in its place that of every one, while Awaz runs (docs/backup.md, "One recording").',
        command: '/opt/awaz/awaz restore FILE --recording ID',
      },
      {
        code: 'leftovers.temporary',
        severity: 'warning',
        title: 'Temporary files of jobs that ended are still there',
        what: `Of no job at work: 2 paths (/var/lib/awaz/tmp/${'x'.repeat(60)}, /var/lib/awaz/tmp/b).`,
        why: 'Decoded recordings take gigabytes, and are content.',
        remedy: '/opt/awaz/awaz doctor --fix deletes them; so does a restart of the engine.',
        command: '/opt/awaz/awaz doctor --fix',
      },
      {
        code: 'models.demo',
        severity: 'note',
        title: 'A demo model is in use',
        what: 'Awaz demo speech is in use.',
        why: 'It shows that everything works, and is no use for real recordings.',
        remedy: '/opt/awaz/awaz models list, then models pull ID and models use ID (docs/models.md).',
        command: '/opt/awaz/awaz models list',
      },
    ],
  },
  run: {
    ...run,
    kind: 'checks',
    subject: null,
    stage: null,
    ended_at: '2026-01-30T04:04:05.000Z',
    outcome: 'failed',
    problem: 'There is no database in /var/lib/awaz.',
  },
  is_busy: true,
}

const backup: Backup = {
  name: run.subject,
  made_at: '2026-01-29T03:04:05.000Z',
  version: '0.2.0',
  encryption: 'passphrase',
  documents: 12_311,
  recordings: 311,
  faulty_recordings: 0,
  damaged_documents: 0,
  size_bytes: 21e9,
  new_bytes: 3e8,
  rehearsed: { at: '2026-01-12T03:04:05.000Z', is_passed: true },
  can_open: true,
  rehearse_command: '',
}
const elsewhere: Backup = {
  ...backup,
  name: 'awaz-20260128T030405Z.tar.age',
  made_at: '2026-01-28T03:04:05.000Z',
  encryption: 'recipients',
  faulty_recordings: 2,
  damaged_documents: 1,
  rehearsed: null,
  can_open: false,
  rehearse_command: '/opt/awaz/awaz backup rehearse /srv/backups/awaz-20260128T030405Z.tar.age --identity FILE',
}
const failedRehearsal = {
  ...backup,
  name: 'awaz-20260127T030405Z.tar',
  made_at: '2026-01-27T03:04:05.000Z',
  encryption: 'none',
  rehearsed: { at: '2026-01-28T03:04:05.000Z', is_passed: false },
} as const

const someBackups: Response<typeof upkeep.backups> = {
  folder: '/srv/backups',
  problem: null,
  backups: [backup, elsewhere, failedRehearsal],
  unreadable: 1,
  last: {
    at: '2026-01-28T03:04:05.000Z',
    name: failedRehearsal.name,
    checks: [
      { code: 'documents', name: 'documents in jobs', expected: '812', found: '811', is_passed: false },
      { code: 'documents', name: 'documents in users', expected: '12', found: '12', is_passed: true },
      {
        code: 'audio',
        name: 'audio files, at random',
        expected: '20 as uploaded',
        found: '20 as uploaded',
        is_passed: true,
      },
      { code: 'sign_in', name: 'sign-in of a new account', expected: 'works', found: 'works', is_passed: true },
      {
        code: 'transcript',
        name: 'a transcript by the API',
        expected: 'opens',
        found: 'opens (12 lines)',
        is_passed: true,
      },
    ],
  },
  run: null,
  is_busy: false,
}

async function answerUpkeep(page: Page) {
  let backups = someBackups
  await page.route('**/api/system/state', (route) => route.fulfill({ json: troubledState }))
  await page.route('**/api/admin/upkeep/checks', (route) => route.fulfill({ json: foundProblems }))
  await page.route('**/api/admin/upkeep/backups', (route) => route.fulfill({ json: backups }))
  await page.route('**/rehearsals', (route) => {
    backups = { ...someBackups, run, is_busy: true }
    return route.fulfill({ status: 202, json: { run } })
  })
}

const names = ['README.txt', 'data.json', 'doctor.json', 'failures.json', 'host.json', 'metrics.json', 'settings.json']
const archive: Response<typeof upkeep.makeSupportArchive> = {
  file_name: 'awaz-support-20260130T030405Z.zip',
  files: names.map((name, index) => ({ name, size_bytes: 700 + index * 1311 })),
  size_bytes: 9000,
  sha256: '3f'.repeat(32),
  base64: '',
}

/** The System page when something is wrong, and its dialog. */
export const systemScenes: Scene[] = [
  {
    name: 'system that needs attention',
    path: '/admin/system',
    prepare: answerUpkeep,
    async open(page) {
      await page.getByText('The last backup failed').waitFor()
      await page.getByText('audio.damaged').waitFor()
      await page.getByText('Rehearse it elsewhere').click()
    },
  },
  {
    name: 'system that rehearses a backup',
    path: '/admin/system',
    prepare: answerUpkeep,
    async open(page) {
      await page.getByRole('button', { name: 'Rehearse now' }).first().click()
      await page.getByText('Restoring sound: 120 of 311').waitFor()
    },
  },
  {
    name: 'files of a support archive',
    path: '/admin/system',
    prepareAction: (page) =>
      page.route('**/api/auth/super-admin/support-archive', (route) => route.fulfill({ json: archive })),
    async open(page) {
      await page.getByRole('button', { name: 'Support archive' }).click()
      await waitForDialog(page)
      await page.getByRole('button', { name: 'Download' }).waitFor()
    },
  },
]
