import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Role } from '#contract/entities/user.ts'
import type { CaseRetention, RetentionRules, RoleDays } from '#contract/retention.ts'
import { t } from '#contract/texts/t.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { roleNames } from '../admin/role-names.ts'
import { describeLoadError } from '../admin/use-admin.ts'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { CaseDaysDialog } from './case-days-dialog.tsx'
import { describeDays } from './describe-days.ts'
import classes from './retention.module.css'
import { useRetentionRules } from './use-retention.ts'
import { RetentionDaysField } from './retention-days-field.tsx'
import { SaveWithPreview } from './save-with-preview.tsx'

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

/** Sets the days for recordings owned by people of each role, and first says what would be deleted. */
function RoleDaysDialog({ isOpen, rules, onClose }: RoleDaysDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Days by role')}>
      <RoleDaysForm rules={rules} onClose={onClose} />
    </Modal>
  )
}

function RoleDaysForm({ rules, onClose }: Omit<RoleDaysDialogProps, 'isOpen'>) {
  const [days, setDays] = useState<RoleDays>(rules.role_days)
  const roles = Object.keys(days) as Role[] // the same keys
  return (
    <Stack>
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
    </Stack>
  )
}

/** The days set by the setting, by role and by case. */
export function RulesPanel() {
  const { data, error, isPending, refetch } = useRetentionRules()
  const message = describeLoadError(error)
  return (
    <>
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the rules')} />}
      {data && <Rules rules={data} />}
    </>
  )
}

function Rules({ rules }: { rules: RetentionRules }) {
  const canChange = isSuperAdmin(useUser())
  const [areRolesShown, setAreRolesShown] = useState(false)
  /** Null while closed; without a row, the user chooses the case. */
  const [changed, setChanged] = useState<{ row?: CaseRetention } | null>(null)
  const { setting_days: settingDays, role_days: roleDays, cases } = rules
  return (
    <Panel
      title={t('How long recordings are kept')}
      actions={
        canChange && (
          <Group gap="xs">
            <Button variant="default" onClick={() => setAreRolesShown(true)}>
              {t('Days by role')}
            </Button>
            <Button variant="default" onClick={() => setChanged({})}>
              {t('Add a case')}
            </Button>
          </Group>
        )
      }
    >
      <dl className={classes.rules}>
        <div>
          <dt>{t('Setting')}</dt>
          <dd>
            {describeDays(settingDays)}{' '}
            <Text span inherit c="dimmed" fz="sm">
              RETENTION_DAYS
            </Text>
          </dd>
        </div>
        {(Object.keys(roleDays) as Role[]).map((role) => (
          <div key={role}>
            <dt>{roleNames[role]}</dt>
            <dd>
              {roleDays[role] === null ? (
                <Text span inherit c="dimmed" fz="sm">
                  {t('as the setting')}
                </Text>
              ) : (
                describeDays(roleDays[role])
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Text maw="75ch" c="dimmed" fz="sm" mt="md">
        {t(
          'Days count from the upload. Days set for a case take precedence over those for the role of the owner, and those over the setting. Of several cases the longest counts. Recordings on legal hold are kept.',
        )}
      </Text>
      {cases.length > 0 && (
        <div className={classes.tableFrame}>
          <DataTable
            label={t('Cases with days of their own')}
            columns={canChange ? [...columns, changeColumn((row) => setChanged({ row }))] : columns}
            rows={cases}
            keyOf={(row) => row.case.id}
          />
        </div>
      )}
      <RoleDaysDialog isOpen={areRolesShown} rules={rules} onClose={() => setAreRolesShown(false)} />
      <CaseDaysDialog changed={changed} onClose={() => setChanged(null)} />
    </Panel>
  )
}

const columns: TableColumn<CaseRetention>[] = [
  {
    title: t('Case'),
    kind: 'subject',
    render: (row) => (
      <Group component="span" gap="0.25rem 0.5rem">
        <Anchor component={Link} inherit to={`/cases?case=${row.case.id}`}>
          <Isolated>{row.case.name}</Isolated>
        </Anchor>
        {row.is_held && <HoldBadge />}
      </Group>
    ),
  },
  { title: t('Owner'), render: (row) => <Isolated>{row.case.owner.name}</Isolated> },
  { title: t('Kept'), render: ({ days }) => describeDays(days) },
  {
    title: t('Recordings'),
    render: ({ recording_count: total }) => t('{total, plural, one {# recording} other {# recordings}}', { total }),
  },
]

function changeColumn(onChange: (row: CaseRetention) => void): TableColumn<CaseRetention> {
  return {
    title: t('Actions'),
    kind: 'actions',
    render: (row) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('Change the days of {name}', { name: row.case.name })}
        onClick={() => onChange(row)}
      >
        {t('Change')}
      </Button>
    ),
  }
}
