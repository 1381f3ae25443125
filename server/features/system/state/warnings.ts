import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { awazCommand } from '#data/awaz-command.ts'
import type { Config } from '#data/config.ts'
import type { CheckResult } from '../readiness.ts'
import { readServers } from '../system-status.ts'
import { amountTexts } from './amount-texts.ts'
import { hasBackupFailed, type HostFacts } from './host-facts.ts'
import type { WorkFacts } from './work-facts.ts'

interface WarningFacts {
  config: { backup: Pick<Config['backup'], 'folder' | 'time'> }
  host: HostFacts
  work: WorkFacts
  mail: CheckResult
  now: Date
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A daily backup has two hours; one made by hand is missed after a week. */
const maxBackupAgeMs = { daily: 26 * hourMs, byHand: 8 * dayMs }
const maxRehearsalAgeMs = 40 * dayMs
const minCertificateMs = 14 * dayMs
const minDiskDays = 7
const minFreeBytes = 2 * 1024 ** 3
const maxWaitMs = hourMs
const maxResponseMs = 1000
const maxFailedSignIns = 100
/** A few failures are those of recordings, many those of the instance. */
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
      severity: 'problem',
      title: engines.length === 0 ? 'No engine is running' : 'No engine is able to work',
      remedy: 'Recordings wait. The log of the engine says why it does not start or cannot work.',
    })
  } else if (unableEngines > 0) {
    found.push({
      code: 'engine_unable',
      severity: 'warning',
      title: `${amountTexts.engines(unableEngines)} of ${engines.length} cannot work`,
      remedy: 'What it reports stands below, under Engines.',
    })
  }
  if (silentEngines > 0) {
    found.push({
      code: 'engine_silent',
      severity: 'warning',
      title: `${amountTexts.engines(silentEngines)} ended without a word within a day`,
      remedy: 'It was killed or hangs: look for want of memory in the log of its machine, and start it again.',
    })
  }
  if (otherVersionHosts.length > 0) {
    found.push({
      code: 'engine_version',
      severity: 'warning',
      title: 'An engine runs another version of Awaz than this server',
      remedy: `Upgrade and restart Awaz on ${otherVersionHosts.join(', ')}, or the server where it is the older one: they may not understand each other's jobs and data.`,
    })
  }
  if (queue.oldestWaitingMs > maxWaitMs) {
    found.push({
      code: 'queue_old',
      severity: 'warning',
      title: `A job has waited for ${describeDuration(queue.oldestWaitingMs)}`,
      remedy: 'Start more engines (docs/scale-out.md), or move large batches to the night.',
    })
  }
  if (queue.abandoned.length > 0) {
    found.push({
      code: 'jobs_abandoned',
      severity: 'problem',
      title: `${amountTexts.jobs(queue.abandoned.length)} under way without an engine`,
      remedy: 'An engine takes them back within two minutes; if not, restart the engines.',
    })
  }
  const { failed, ended } = outcomes
  if (failed > maxFailedJobs.count && failed > ended * maxFailedJobs.share) {
    found.push({
      code: 'jobs_fail',
      severity: 'problem',
      title: `${failed} of ${ended} jobs of the last day failed`,
      remedy: `The log of the engine names the reason of each; ${awazCommand} doctor checks models and programs.`,
    })
  }
  const unreachable = (['speech_servers', 'translation_servers'] as const)
    .flatMap((kind) => readServers(engines, kind))
    .filter(({ is_reachable }) => is_reachable === false)
  if (unreachable.length > 0) {
    found.push({
      code: 'model_server_unreachable',
      severity: 'warning',
      title: `${amountTexts.servers(unreachable.length)} that runs models cannot be reached`,
      remedy: 'Which one, and its last error, stands below.',
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

function warnOfHost({ host, now }: WarningFacts): InstanceWarning[] {
  const found: InstanceWarning[] = []
  const { rooms, diskDaysLeft, certificateEnd, failedSignInsLastHour } = host
  const full = Object.entries(rooms).filter(([, { freeBytes }]) => freeBytes < minFreeBytes)
  for (const [folder] of full) {
    found.push({
      code: 'disk_full',
      severity: 'problem',
      title: `The disk of ${folder === 'data' ? 'DATA_DIR' : 'BACKUP_DIR'} has less than 2 GiB left`,
      remedy:
        folder === 'data'
          ? 'Uploads are refused below 512 MiB. Make room, or move DATA_DIR to a larger disk.'
          : 'The next backup may fail. Make room, or keep fewer backups (docs/backup.md).',
    })
  }
  if (diskDaysLeft < minDiskDays && !full.some(([folder]) => folder === 'data')) {
    found.push({
      code: 'disk_full_soon',
      severity: 'warning',
      title: `The disk of DATA_DIR is full in ${amountTexts.days(Math.floor(diskDaysLeft))}`,
      remedy: 'Move DATA_DIR to a larger disk, or let old recordings expire (RETENTION_DAYS).',
    })
  }
  const certificateMs = certificateEnd && certificateEnd.getTime() - now.getTime()
  if (certificateMs !== undefined && certificateMs < minCertificateMs) {
    const hasEnded = certificateMs <= 0
    found.push({
      code: 'certificate_ends',
      severity: hasEnded ? 'problem' : 'warning',
      title: hasEnded
        ? 'The certificate of PUBLIC_URL has expired'
        : `The certificate of PUBLIC_URL expires in ${amountTexts.days(Math.floor(certificateMs / dayMs))}`,
      remedy: 'Renew it in the proxy: browsers refuse an expired one.',
    })
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
    return [
      {
        code: 'backup_missing',
        severity: 'warning',
        title: 'There is no backup',
        remedy: 'Set BACKUP_DIR, BACKUP_TIME and BACKUP_PASSPHRASE_FILE (docs/backup.md, "Every day").',
      },
    ]
  }
  const found: InstanceWarning[] = []
  const ageMs = now.getTime() - made.getTime()
  if (hasBackupFailed(host.backups)) {
    found.push({
      code: 'backup_failed',
      severity: 'problem',
      title: 'The last backup failed',
      remedy: `Mend what the audit trail says (backup.create), then ${awazCommand} backup.`,
    })
  } else if (ageMs > (config.backup.time === undefined ? maxBackupAgeMs.byHand : maxBackupAgeMs.daily)) {
    found.push({
      code: 'backup_old',
      severity: 'problem',
      title: `The last backup is ${describeDuration(ageMs)} old`,
      remedy: `${awazCommand} backup makes one now; the log says why the daily one was not made.`,
    })
  }
  if (notRestored && notRestored > made) {
    found.push({
      code: 'rehearsal_failed',
      severity: 'problem',
      title: 'A backup did not restore when it was rehearsed',
      remedy: `Make a new one now (${awazCommand} backup) and rehearse that; then look for the cause on the disk of BACKUP_DIR.`,
    })
  } else if (!rehearsed || now.getTime() - rehearsed.getTime() > maxRehearsalAgeMs) {
    found.push({
      code: 'rehearsal_old',
      severity: 'warning',
      title: rehearsed ? 'No backup was rehearsed within 40 days' : 'No backup was ever rehearsed',
      remedy: `${awazCommand} backup rehearse FILE proves that it restores, and that the passphrase is right.`,
    })
  }
  return found
}

function warnOfMail({ ok, message }: CheckResult): InstanceWarning[] {
  if (ok) return []
  return [
    {
      code: 'mail_fails',
      severity: 'warning',
      title: `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
      remedy: `Mails wait in the outbox and are sent when it answers; ${awazCommand} doctor tries the login.`,
    },
  ]
}

function describeDuration(durationMs: number): string {
  if (durationMs < 2 * hourMs) return amountTexts.minutes(Math.floor(durationMs / 60_000))
  if (durationMs < 2 * dayMs) return amountTexts.hours(Math.floor(durationMs / hourMs))
  return amountTexts.days(Math.floor(durationMs / dayMs))
}
