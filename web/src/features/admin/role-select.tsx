import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import type { Role, User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { roleMeanings, roleNames } from './role-names.ts'
import { useAdminAction } from './use-admin.ts'
import type { Panel } from './user-policy.ts'

/** Changes a role after confirmation: admins assign user or admin, super admins any role. No one can change their own. */
export function RoleSelect({ user, as }: { user: User; as: Panel }) {
  const action = useAdminAction()
  const self = useUser()
  const [asked, setAsked] = useState<Role>()
  const offered: Role[] = as === 'admin' ? ['user', 'admin'] : ['user', 'admin', 'super_admin']

  function choose(value: string | null) {
    const role = offered.find((known) => known === value)
    if (role && role !== user.role) setAsked(role)
  }

  function change(role: Role) {
    const params = { id: user.id }
    const run =
      role === 'super_admin' || as === 'super_admin'
        ? () => call(superAdmin.setRole, { params, body: { role } })
        : () => call(admin.setRole, { params, body: { role } })
    const onDone = () => setAsked(undefined)
    action.mutate({ run, success: t('User role updated'), failure: t('Failed to update user role'), onDone })
  }

  return (
    <>
      <Select
        w={140}
        size="xs"
        aria-label={t('Role of {user}', { user: displayName(user) })}
        data={offered.map((role) => ({ value: role, label: roleNames[role] }))}
        value={user.role}
        disabled={action.isPending || user.id === self.id}
        onChange={choose}
      />
      <ConfirmDialog
        title={t('Change role')}
        confirmLabel={t('Change role')}
        isOpen={asked !== undefined}
        isBusy={action.isPending}
        onConfirm={() => asked && change(asked)}
        onClose={() => setAsked(undefined)}
      >
        <Text>
          {rich('{name} ({email}) becomes {role} instead of {formerRole} and is signed out everywhere.', {
            name: (
              <strong>
                <Isolated>{displayName(user)}</Isolated>
              </strong>
            ),
            email: user.email,
            role: asked ? roleNames[asked] : '',
            formerRole: roleNames[user.role],
          })}
        </Text>
        <Text c="dimmed" mt="xs">
          {asked && roleMeanings[asked]}
        </Text>
      </ConfirmDialog>
    </>
  )
}
