import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { awazCommand } from '#data/awaz-command.ts'
import type { Config } from '#data/config.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { CheckOutcome } from '../readiness.ts'
import { readServers } from '../system-status.ts'
import { amountTexts, describeDuration } from './amount-texts.ts'
import { findCertificateIssue } from './certificate.ts'
import { hasBackupFailed, type HostFacts } from './host-facts.ts'
import { backupDiskRemedy, describeHealthIssue, healthIssues } from './health-issues.ts'
import type { WorkFacts } from './work-facts.ts'

interface WarningFacts {
  config: { backup: Pick<Config['backup'], 'folder' | 'time'> }
  host: HostFacts
  work: WorkFacts
  mail: CheckOutcome
  now: Date
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A daily backup may be two hours late, a weekly one made by hand one day late. */
const maxBackupAgeMs = { daily: 26 * hourMs, byHand: 8 * dayMs }
const maxRehearsalAgeMs = 40 * dayMs
const minDiskDays = 7
const minFreeBytes = 2 * 1024 ** 3
const maxWaitMs = hourMs
const maxResponseMs = 1000
const maxFailedSignIns = 100
/** A few failures point to bad recordings, many to a fault of the instance. */
const maxFailedJobs = { share: 0.1, count: 5 }

/** Returns what an administrator should act on, the worst first. The limits are those of docker/monitoring/awaz.rules.yml. */
export function findWarnings(facts: WarningFacts): InstanceWarning[] {
  const found = [...warnOfWork(facts.work), ...warnOfHost(facts), ...warnOfBackups(facts), ...warnOfMail(facts.mail)]
  return sortWarnings(found)
}

/** Returns them with problems before warnings. */
export function sortWarnings(warnings: InstanceWarning[]): InstanceWarning[] {
  return [
    ...warnings.filter(({ severity }) => severity === 'problem'),
    ...warnings.filter(({ severity }) => severity === 'warning'),
  ]
}

function warnOfWork(work: WorkFacts): InstanceWarning[] {
  const found: InstanceWarning[] = []
  const { queue, outcomes, engines, unableEngines, silentEngines, otherVersionHosts } = work
  if (engines.length === unableEngines) {
    found.push({
      code: 'no_engine',
      ...describeHealthIssue(engines.length === 0 ? 'engines.none' : 'engines.unable'),
      severity: 'problem',
      title: engines.length === 0 ? 'No engine is running' : 'No engine is able to work',
    })
  } else if (unableEngines > 0) {
    found.push({
      code: 'engine_unable',
      title: `${amountTexts.engines(unableEngines)} of ${engines.length} cannot work`,
      ...describeHealthIssue('engines.unable'),
    })
  }
  if (silentEngines > 0) {
    found.push({
      code: 'engine_silent',
      title: `${amountTexts.engines(silentEngines)} stopped unexpectedly in the last 24 hours`,
      ...describeHealthIssue('engines.silent'),
    })
  }
  if (otherVersionHosts.length > 0) {
    found.push({
      code: 'engine_version',
      title: `An engine on ${otherVersionHosts.join(', ')} runs another version of Awaz than this server`,
      ...describeHealthIssue('engines.version'),
    })
  }
  if (queue.oldestWaitingMs > maxWaitMs) {
    found.push({
      code: 'queue_old',
      title: `A job has waited for ${describeDuration(queue.oldestWaitingMs)}`,
      ...describeHealthIssue('jobs.waiting'),
    })
  }
  if (queue.abandoned.length > 0) {
    found.push({
      code: 'jobs_abandoned',
      title: `${amountTexts.jobs(queue.abandoned.length)} under way without an engine`,
      ...describeHealthIssue('jobs.abandoned'),
    })
  }
  const { failed, ended } = outcomes
  if (failed > maxFailedJobs.count && failed > ended * maxFailedJobs.share) {
    found.push({
      code: 'jobs_fail',
      title: `${failed} of ${ended} jobs of the last day failed`,
      ...describeHealthIssue('jobs.failing'),
      // `awaz doctor` reports this only above one half.
      ...(failed * 2 <= ended && { severity: 'warning' }),
    })
  }
  const servers = (['speech_servers', 'translation_servers'] as const).map((kind) => readServers(engines, kind))
  const unreachable = servers.flat().filter(isUnreachable)
  if (unreachable.length > 0) {
    found.push({
      code: 'model_server_unreachable',
      title: `${amountTexts.servers(unreachable.length)} for models cannot be reached`,
      ...describeHealthIssue('servers.unreachable'),
      // The others of its kind do its work, and `awaz doctor` does not report it.
      ...(!servers.some((kind) => kind.length > 0 && kind.every(isUnreachable)) && { severity: 'warning' }),
    })
  }
  if (work.databaseResponseMs > maxResponseMs) {
    found.push({
      code: 'database_slow',
      severity: 'warning',
      title: `The database took ${(work.databaseResponseMs / 1000).toFixed(1)} s for a small query`,
      remedy: 'Look at the load of its disk and machine.',
    })
  }
  return found
}

function isUnreachable({ is_reachable }: Pick<RemoteServerStatus, 'is_reachable'>): boolean {
  return is_reachable === false
}

function warnOfHost({ host, now }: WarningFacts): InstanceWarning[] {
  const found: InstanceWarning[] = []
  const { rooms, diskDaysLeft, certificateEnd, failedSignInsLastHour } = host
  const full = Object.entries(rooms).filter(([, { freeBytes }]) => freeBytes < minFreeBytes)
  for (const [folder] of full) {
    const isBackup = folder === 'backup'
    found.push({
      code: isBackup ? 'backup_disk_full' : 'disk_full',
      title: `The disk of ${isBackup ? 'BACKUP_DIR' : 'DATA_DIR'} has less than 2 GiB left`,
      ...describeHealthIssue('disk.full'),
      ...(isBackup && { remedy: backupDiskRemedy }),
    })
  }
  if (diskDaysLeft < minDiskDays && !full.some(([folder]) => folder === 'data')) {
    found.push({
      code: 'disk_full_soon',
      title: `The disk of DATA_DIR is full in ${amountTexts.days(Math.floor(diskDaysLeft))}`,
      ...describeHealthIssue('disk.nearly_full'),
    })
  }
  const certificate = certificateEnd && findCertificateIssue(certificateEnd, now)
  if (certificate) {
    const { title, severity, remedy } = certificate
    found.push({ code: 'certificate_ends', severity, title, remedy })
  }
  if (failedSignInsLastHour > maxFailedSignIns) {
    found.push({
      code: 'sign_ins_fail',
      severity: 'warning',
      title: `${failedSignInsLastHour} sign-ins failed within an hour`,
      remedy: 'Somebody may be guessing passwords: the audit trail has accounts and addresses (auth.signin).',
    })
  }
  return found
}

function warnOfBackups({ config, host, now }: WarningFacts): InstanceWarning[] {
  const { made, rehearsed, notRestored } = host.backups
  if (!made) {
    const issue = config.backup.folder === undefined ? 'backup.not_set_up' : 'backup.none'
    return [{ code: 'backup_missing', title: 'There is no backup', ...describeHealthIssue(issue) }]
  }
  const found: InstanceWarning[] = []
  const ageMs = now.getTime() - made.getTime()
  if (hasBackupFailed(host.backups)) {
    found.push({
      code: 'backup_failed',
      title: 'The last backup failed',
      ...describeHealthIssue('backup.failed'),
    })
  } else if (ageMs > (config.backup.time === undefined ? maxBackupAgeMs.byHand : maxBackupAgeMs.daily)) {
    found.push({
      code: 'backup_old',
      title: `The last backup is ${describeDuration(ageMs)} old`,
      ...describeHealthIssue('backup.old'),
    })
  }
  if (notRestored && notRestored > made) {
    found.push({
      code: 'rehearsal_failed',
      severity: 'problem',
      title: 'A backup could not be restored in a rehearsal',
      remedy: `Make a new one now (${awazCommand} backup) and rehearse that; then look for the cause on the disk of BACKUP_DIR.`,
    })
  } else if (!rehearsed || now.getTime() - rehearsed.getTime() > maxRehearsalAgeMs) {
    found.push({
      code: 'rehearsal_old',
      title: rehearsed ? 'No backup was rehearsed within 40 days' : 'No backup was ever rehearsed',
      ...describeHealthIssue('backup.rehearsal'),
    })
  }
  return found
}

function warnOfMail({ ok, issue = 'mail.silent' }: CheckOutcome): InstanceWarning[] {
  if (ok) return []
  return [{ code: 'mail_fails', title: healthIssues[issue].title, ...describeHealthIssue(issue) }]
}
