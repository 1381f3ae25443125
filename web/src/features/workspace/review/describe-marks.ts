import { isolateName } from '#contract/isolated-name.ts'
import type { Doubt, Verification } from '#contract/line-marks.ts'
import { t } from '#contract/texts/t.ts'
import { formatMoment } from '../../../shared/format.ts'

/** Returns who verified a line and when: "Verified by N. Ahmadi, 26 Nov, 10:14; and by O. Karimi, …". */
export function describeVerifications(verified: Verification[]): string {
  return `Verified by ${verified.map(({ by, at }) => `${nameOf(by)}, ${formatMoment(at)}`).join('; and by ')}`
}

/** Returns who said that a line is uncertain, and why. */
export function describeDoubt({ reason, by, at }: Doubt): string {
  const who = `${nameOf(by)}, ${formatMoment(at)}`
  return reason === ''
    ? t('Marked as uncertain by {who}', { who })
    : t('Uncertain: {reason} ({who})', { reason: isolateName(reason), who })
}

function nameOf({ name }: Verification['by']): string {
  return name === '' ? t('a former user') : isolateName(name)
}
