import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import type { DoctorFinding } from '#contract/entities/upkeep.ts'
import { amountTexts } from './amount-texts.ts'
import type { MailedWarning } from './warning-mails.ts'

/** What warnings.ts watches every few minutes: the checks find it too, and nobody is told twice. */
const watchedCodes = new Set([
  'backup.failed',
  'backup.none',
  'backup.old',
  'backup.rehearsal',
  'certificate.ends_soon',
  'certificate.expired',
  'disk.full',
  'disk.nearly_full',
  'engines.none',
  'engines.silent',
  'engines.unable',
  'engines.version',
  'jobs.abandoned',
  'jobs.failing',
  'jobs.waiting',
  'mail.failing',
  'mail.refuses_login',
  'mail.silent',
  'mail.untrusted',
  'servers.unreachable',
])

/** Whether nothing else tells of what the checks found. */
export function isFoundByChecksOnly({ code }: Pick<DoctorFinding, 'code'>): boolean {
  return !watchedCodes.has(code)
}

/** Returns one warning for all that the checks found, which stands on the page itself. */
export function warnOfChecks(issues: Pick<DoctorFinding, 'severity'>[]): InstanceWarning[] {
  if (issues.length === 0) return []
  return [
    {
      code: 'checks_find',
      severity: issues.some(({ severity }) => severity === 'problem') ? 'problem' : 'warning',
      title: `The checks found ${amountTexts.issues(issues.length)}`,
      remedy: 'Super admins see them below, under Checks, each with what mends it.',
    },
  ]
}

/** Returns what a mail says of something that the checks found. */
export function toMailedWarning({ code, severity, title, remedy }: DoctorFinding): MailedWarning {
  return { code, severity: severity === 'problem' ? 'problem' : 'warning', title, remedy }
}
