import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { t } from '#contract/texts/t.ts'
import classes from './severity-icon.module.css'

export type Severity = 'problem' | 'warning' | 'note'

const icons = { problem: IconAlertOctagon, warning: IconAlertTriangle, note: IconInfoCircle }
const names = { problem: t('Problem'), warning: t('Warning'), note: t('Note') }

/** Shows how severe something is, by shape, color and name. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  const Icon = icons[severity]
  return (
    <span
      role="img"
      aria-label={names[severity]}
      title={names[severity]}
      className={classes.icon}
      data-severity={severity}
    >
      <Icon size={20} stroke={1.5} aria-hidden />
    </span>
  )
}
