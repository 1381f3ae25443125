import { isolateName } from '#contract/isolated-name.ts'
import type { Doubt, Verification } from '#contract/line-marks.ts'
import { t } from '#contract/texts/t.ts'
import { formatMoment } from '../../../shared/format.ts'

/** Returns who verified a line and when: "Verified by N. Ahmadi, 26 Nov, 10:14; and by O. Karimi, …". */
export function describeVerifications(verified: Verification[]): string {
  const [first = '', ...others] = verified.map(whoAndWhen)
  const who = others.reduce((earlier, next) => t('{earlier}; and by {next}', { earlier, next }), first)
  return t('Verified by {who}', { who })
}

/** Returns who marked a line as uncertain, and why. */
export function describeDoubt({ reason, by, at }: Doubt): string {
  const who = whoAndWhen({ by, at })
  return reason === ''
    ? t('Marked as uncertain by {who}', { who })
    : t('Uncertain: {reason} ({who})', { reason: isolateName(reason), who })
}

function whoAndWhen({ by, at }: Verification): string {
  return t('{name}, {moment}', { name: nameOf(by), moment: formatMoment(at) })
}

function nameOf({ name }: Verification['by']): string {
  return name === '' ? t('a former user') : isolateName(name)
}
