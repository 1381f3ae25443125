import { passwordStrength, strengthLabel, strengthRules } from '#contract/password-rules.ts'
import { PasswordChecklist } from './password-checklist.tsx'
import classes from './password.module.css'

/** A live meter of five checks with its checklist. Empty until something is typed. */
export function StrengthMeter({ password }: { password: string }) {
  const score = password ? passwordStrength(password) : 0
  const label = password ? strengthLabel(score) : ''
  return (
    <div>
      <div className={classes.meterRow}>
        <div
          className={classes.meter}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={score}
          aria-valuetext={label || 'Nothing typed yet'}
          data-level={label.toLowerCase()}
        >
          {strengthRules.map((rule, index) => (
            <span key={rule.label} data-filled={index < score || undefined} />
          ))}
        </div>
        <span className={classes.meterLabel} aria-hidden>
          {label}
        </span>
      </div>
      <PasswordChecklist password={password} rules={strengthRules} />
    </div>
  )
}
