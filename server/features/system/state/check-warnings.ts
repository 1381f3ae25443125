import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import type { DoctorFinding } from '#contract/entities/upkeep.ts'
import { amountTexts } from './amount-texts.ts'
import { healthIssues } from './health-issues.ts'
import type { MailedWarning } from './warning-mails.ts'

/** What warnings.ts watches every few minutes, and the overview of the administration: the checks find it too, and nobody is told twice. */
const watchedCodes = new Set([...Object.keys(healthIssues), 'mail.failing'])

/** Whether nothing else tells of what the checks found. */
export function isFoundByChecksOnly({ code }: Pick<DoctorFinding, 'code'>): boolean {
  return !watchedCodes.has(code)
}

/**
 * Returns one warning for all that the checks found, which stands on the page itself: as many as it lists, and none where all of them are watched.
 */
export function warnOfChecks(issues: Pick<DoctorFinding, 'code' | 'severity'>[]): InstanceWarning[] {
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

/** Returns what a mail says of something that the checks found. */
export function toMailedWarning({ code, severity, title, remedy }: DoctorFinding): MailedWarning {
  return { code, severity: severity === 'problem' ? 'problem' : 'warning', title, remedy }
}
