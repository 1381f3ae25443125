import { NumberInput, Select } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from './retention.module.css'

interface RetentionDaysFieldProps {
  label: string
  /** Null for no number set here, 0 for forever. */
  value: number | null
  /** Label of the choice to set no number here. */
  noneLabel: string
  onChange: (days: number | null) => void
}

const defaultDays = 90
const maxDays = 36_500

/** A number of days, forever, or no number set here. */
export function RetentionDaysField({ label, value, noneLabel, onChange }: RetentionDaysFieldProps) {
  const kind = kindOf(value)
  const daysOf = { none: null, forever: 0, days: defaultDays }
  return (
    <div className={classes.days} data-counted={kind === 'days' || undefined}>
      <Select
        label={label}
        data={[
          { value: 'none', label: noneLabel },
          { value: 'days', label: t('Days') },
          { value: 'forever', label: t('For ever') },
        ]}
        value={kind}
        onChange={(next) => onChange(daysOf[next as keyof typeof daysOf])} // one of the values above
        allowDeselect={false}
      />
      {kind === 'days' && (
        <NumberInput
          label={t('Days')}
          aria-label={t('Days: {label}', { label })}
          min={1}
          max={maxDays}
          clampBehavior="strict"
          allowDecimal={false}
          value={value ?? ''}
          onChange={(days) => typeof days === 'number' && days > 0 && onChange(days)}
        />
      )}
    </div>
  )
}

function kindOf(days: number | null): 'none' | 'forever' | 'days' {
  if (days === null) return 'none'
  return days === 0 ? 'forever' : 'days'
}
