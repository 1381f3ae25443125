import { UnstyledButton } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import classes from './admin.module.css'
import { useAdminStats } from './use-admin.ts'

/** Numbers of users; each figure filters the list to those it counts. */
export function Figures({ state, onNarrow }: { state: string; onNarrow: (state: string) => void }) {
  const stats = useAdminStats()
  const figures = [
    { label: t('Total users'), value: stats?.total_users, narrowTo: '' },
    { label: t('Active'), value: stats?.active_users, narrowTo: 'active' },
    { label: t('Verified'), value: stats?.verified_users, narrowTo: 'verified' },
    { label: t('With two-factor'), value: stats?.users_with_2fa, narrowTo: 'with_2fa' },
  ]
  return (
    <div className={classes.figures} role="group" aria-label={t('Figures')}>
      {figures.map(({ label, value, narrowTo }) => (
        <UnstyledButton
          key={narrowTo}
          className={classes.figure}
          aria-pressed={state === narrowTo}
          onClick={() => onNarrow(narrowTo)}
        >
          <span className={classes.figureLabel}>{label}</span>
          <span className={classes.figureValue}>{value === undefined ? '–' : formatNumber(value)}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}
