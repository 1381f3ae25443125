import { Group, Select, Stack, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { CaseInvitee, CaseMember, CaseRole } from '#contract/cases.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { roleChoices, roleNames } from '../../shared/cases/describe-case.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './case-members.module.css'
import { useRemoveMember, useSetMember } from './use-cases.ts'

interface RowContext {
  caseId: string
  canManage: boolean
  /** Whether one that was removed can be added again. */
  canAdd: boolean
}

/** Somebody who reads a case. */
export function MemberRow({ member, ...context }: RowContext & { member: CaseMember }) {
  const { name, email, is_active: isActive } = member
  return (
    <PersonRow {...context} person={member} name={name}>
      {email}
      {!isActive && ` · ${t('deactivated')}`}
    </PersonRow>
  )
}

/** Somebody who will read a case as soon as the invitation is accepted. */
export function InviteeRow({ invitee, ...context }: RowContext & { invitee: CaseInvitee }) {
  return (
    <PersonRow {...context} person={invitee} name={invitee.email} isWrapped>
      {invitee.is_expired ? t('Invitation expired: an admin can resend it') : t('Invited, no account yet')}
    </PersonRow>
  )
}

interface PersonRowProps extends RowContext {
  person: { id: string; email: string; role: CaseRole }
  name: string
  /** Whether name and note take as many lines as they need, rather than being cut. */
  isWrapped?: boolean
  /** What stands below the name. */
  children: React.ReactNode
}

function PersonRow({ person, name, caseId, canManage, canAdd, isWrapped = false, children }: PersonRowProps) {
  const { id, email, role } = person
  const setMember = useSetMember(caseId)
  const removeMember = useRemoveMember(caseId)
  const showError = (error: Error) => toastError(messageOf(error, t('Network error. Please try again.')))

  function change(next: CaseRole) {
    if (next !== 'owner') setMember.mutate({ email, role: next }, { onError: showError })
  }

  function remove() {
    const done = t('{name} removed from the case', { name: isolateName(name) })
    removeMember.mutate(id, { onSuccess: () => (canAdd ? toastUndo(done, () => change(role)) : toastSuccess(done)) })
  }

  return (
    <Group component="li" gap="xs" wrap="nowrap" mih={48} py={6} px={20} aria-label={name}>
      <Stack gap={0} flex={1} miw={0}>
        <span className={classes.name} data-wrapped={isWrapped || undefined}>
          <Isolated {...(!isWrapped && { isCut: true })}>{name}</Isolated>
        </span>
        <span className={classes.email} data-wrapped={isWrapped || undefined}>
          {children}
        </span>
      </Stack>
      {canManage ? (
        <>
          <Select
            aria-label={t('Role of {name}', { name })}
            size="xs"
            w={128}
            data={roleChoices}
            value={role}
            disabled={setMember.isPending}
            onChange={(value) => (value === 'view' || value === 'edit') && change(value)}
          />
          <IconButton
            label={t('Remove {name}', { name: isolateName(name) })}
            loading={removeMember.isPending}
            onClick={remove}
          >
            <IconX size={16} stroke={1.5} />
          </IconButton>
        </>
      ) : (
        <Text span inherit flex="none" c="dimmed" fz="sm">
          {roleNames[role]}
        </Text>
      )}
    </Group>
  )
}
