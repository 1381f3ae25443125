import type { InstanceState, InstanceWarning } from '#contract/entities/instance-state.ts'
import type { DoctorFinding } from '#contract/entities/upkeep.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { listAddedByDay } from '#data/health/stored-audio.ts'
import { listWorkDays, type WorkDay } from '#data/work-hours/work-hours.ts'
import type { Readiness } from '../readiness.ts'
import type { HostFacts } from './host-facts.ts'
import { keepFor } from './keep-for.ts'
import type { MailedWarning } from './warning-mails.ts'
import { findWarnings, sortWarnings } from './warnings.ts'
import type { WorkFacts } from './work-facts.ts'
import { amountTexts } from './amount-texts.ts'
import { healthIssues } from './health-issues.ts'

interface InstanceStateDeps {
  config: { backup: Pick<Config['backup'], 'folder' | 'time'> }
  connection: DatabaseConnection
  readiness: Pick<Readiness, 'check'>
  readHost: () => Promise<HostFacts>
  readWork: () => Promise<WorkFacts>
  /** Returns those findings of the last checks that need action. */
  listIssues: () => Promise<DoctorFinding[]>
  clock: Clock
}

const shownDays = 30
/** Reading this goes through every recording of 30 days. */
const addedMaxAgeMs = 10 * 60_000
const workDaysMaxAgeMs = 60_000

/** What warnings.ts and the administration overview watch every few minutes. The checks find it too, but it is reported only once. */
const watchedCodes = new Set([...Object.keys(healthIssues), 'mail.failing'])

/** Creates what shows administrators the state of the instance and what needs attention. */
export function createInstanceState(deps: InstanceStateDeps) {
  const { config, connection, readiness, readHost, readWork, listIssues, clock } = deps
  const readAdded = keepFor(addedMaxAgeMs, () => listAddedByDay(connection, { now: new Date(clock.now()), shownDays }))
  const readDays = keepFor(workDaysMaxAgeMs, () => listWorkDays(connection, { now: new Date(clock.now()), shownDays }))

  async function readFacts() {
    const [host, work, mail] = await Promise.all([readHost(), readWork(), readiness.check('mail')])
    return { config, host, work, mail, now: new Date(clock.now()) }
  }

  /** Returns what super admins are mailed about: each finding of the checks is a separate warning. */
  async function readWarnings(): Promise<MailedWarning[]> {
    const [facts, issues] = await Promise.all([readFacts(), listIssues()])
    return [...findWarnings(facts), ...issues.filter(isFoundByChecksOnly).map(toMailedWarning)]
  }

  async function read(): Promise<InstanceState> {
    const [facts, issues, added, days] = await Promise.all([readFacts(), listIssues(), readAdded(), readDays()])
    const { host, work } = facts
    const { made, failed, rehearsed } = host.backups
    return {
      warnings: sortWarnings([...findWarnings(facts), ...warnOfChecks(issues)]),
      queue: {
        waiting: work.queue.waiting,
        oldest_waiting_seconds: work.queue.oldestWaitingMs / 1000,
        ended_last_day: work.outcomes.ended,
        failed_last_day: work.outcomes.failed,
      },
      database_response_ms: work.databaseResponseMs,
      disk: {
        data: presentRoom(host.rooms.data ?? { freeBytes: 0, sizeBytes: 0 }),
        backup: host.rooms.backup ? presentRoom(host.rooms.backup) : null,
        days_left: Number.isFinite(host.diskDaysLeft) ? host.diskDaysLeft : null,
        added,
      },
      backups: {
        is_scheduled: config.backup.folder !== undefined && config.backup.time !== undefined,
        made_at: made?.toISOString() ?? null,
        failed_at: failed?.toISOString() ?? null,
        rehearsed_at: rehearsed?.toISOString() ?? null,
      },
      work: days.map(presentDay),
      certificate_ends_at: host.certificateEnd?.toISOString() ?? null,
      failed_sign_ins_last_hour: host.failedSignInsLastHour,
    }
  }

  return { read, readWarnings }
}

function presentDay({ day, waiting, oldestWaitingMs, work }: WorkDay): InstanceState['work'][number] {
  return {
    day,
    waiting,
    oldest_waiting_seconds: oldestWaitingMs === null ? null : oldestWaitingMs / 1000,
    transcribed_seconds: work.transcribedSeconds,
    transcription_work_seconds: work.transcriptionWorkSeconds,
    translated_lines: work.translatedLines,
    translation_work_seconds: work.translationWorkSeconds,
  }
}

function presentRoom({ freeBytes, sizeBytes }: { freeBytes: number; sizeBytes: number }) {
  return { free_bytes: freeBytes, size_bytes: sizeBytes }
}

/** Returns whether nothing else reports this finding of the checks. */
function isFoundByChecksOnly({ code }: Pick<DoctorFinding, 'code'>): boolean {
  return !watchedCodes.has(code)
}

/**
 * Returns one warning for all findings of the checks, which the page itself lists: it counts as many as are listed, and there is none if
 * all of them are watched anyway.
 */
function warnOfChecks(issues: Pick<DoctorFinding, 'code' | 'severity'>[]): InstanceWarning[] {
  if (!issues.some(isFoundByChecksOnly)) return []
  return [
    {
      code: 'checks_find',
      severity: issues.some(({ severity }) => severity === 'problem') ? 'problem' : 'warning',
      title: `The checks found ${amountTexts.issues(issues.length)}`,
      remedy: 'Super admins see them below, under Checks, each with what mends it.',
    },
  ]
}

/** Returns the warning with which a mail reports a finding of the checks. */
function toMailedWarning({ code, severity, title, remedy }: DoctorFinding): MailedWarning {
  return { code, severity: severity === 'problem' ? 'problem' : 'warning', title, remedy }
}
