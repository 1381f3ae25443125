import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Role } from '#contract/entities/user.ts'
import type { RetentionRules, RoleDays } from '#contract/retention.ts'
import { t } from '#contract/texts/t.ts'
import { RetentionDaysField } from './retention-days-field.tsx'
import { describeDays } from './describe-days.ts'
import { SaveWithPreview } from './save-with-preview.tsx'
import classes from './retention.module.css'

const labels: Record<Role, string> = {
  user: t('Recordings of users'),
  admin: t('Recordings of admins'),
  super_admin: t('Recordings of super admins'),
}

interface RoleDaysDialogProps {
  isOpen: boolean
  rules: RetentionRules
  onClose: () => void
}

/** Sets the days of what people of each role own, and says before what would go. */
export function RoleDaysDialog({ isOpen, rules, onClose }: RoleDaysDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Days by role')}>
      <RoleDaysForm rules={rules} onClose={onClose} />
    </Modal>
  )
}

function RoleDaysForm({ rules, onClose }: Omit<RoleDaysDialogProps, 'isOpen'>) {
  const [days, setDays] = useState<RoleDays>(rules.role_days)
  const roles = Object.keys(days) as Role[] // of the same keys
  return (
    <div className={classes.form}>
      {roles.map((role) => (
        <RetentionDaysField
          key={role}
          label={labels[role]}
          noneLabel={t('As the setting ({settingDays})', { settingDays: describeDays(rules.setting_days) })}
          value={days[role]}
          onChange={(own) => setDays({ ...days, [role]: own })}
        />
      ))}
      <SaveWithPreview
        change={{ roleDays: days }}
        query={{
          user_days: days.user ?? 'none',
          admin_days: days.admin ?? 'none',
          super_admin_days: days.super_admin ?? 'none',
        }}
        onClose={onClose}
      />
    </div>
  )
}
