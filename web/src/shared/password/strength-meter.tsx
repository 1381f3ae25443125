import { Text } from '@mantine/core'
import { passwordStrength, strengthLabel, strengthRules } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { isPlainlyCommon } from './guessable-stems.ts'
import { PasswordChecklist } from './password-checklist.tsx'
import classes from './password.module.css'

/** What meets every rule and is guessed first is weak all the same. */
const maxCommonScore = 2

const labels = { Weak: t('Weak'), Fair: t('Fair'), Good: t('Good'), Strong: t('Strong') }

/** A live meter of five checks with its checklist. Empty until something is typed. */
export function StrengthMeter({ password }: { password: string }) {
  const passed = password ? passwordStrength(password) : 0
  const isCommon = isPlainlyCommon(password)
  const score = isCommon ? Math.min(passed, maxCommonScore) : passed
  const level = password ? strengthLabel(score) : undefined
  const label = level && labels[level]
  return (
    <div>
      <div className={classes.meterRow}>
        <div
          className={classes.meter}
          role="meter"
          aria-label={t('Password strength')}
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={score}
          aria-valuetext={label ?? t('Nothing typed yet')}
          data-level={level?.toLowerCase() ?? ''}
        >
          {strengthRules.map((_, index) => (
            <span key={index} data-filled={index < score || undefined} />
          ))}
        </div>
        <span className={classes.meterLabel} aria-hidden>
          {label}
        </span>
      </div>
      {isCommon && passed > maxCommonScore && (
        <Text size="sm" c="var(--mantine-color-error)" mb={4} role="status">
          {t('Too common: this is among the first that are tried.')}
        </Text>
      )}
      <PasswordChecklist password={password} rules={strengthRules} />
    </div>
  )
}
