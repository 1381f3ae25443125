import { Autocomplete, Box, Button, Select, Stack, Text, Group } from '@mantine/core'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { CaseDetails, CaseMember, MemberRole, CaseInvitee, CaseRole } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { cases } from '#contract/endpoints/cases.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { isAdmin, isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { toastSuccess, toastError } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { ConfirmationDialog } from '../admin/confirmation-dialog.tsx'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { roleChoices, roleNames } from '../../shared/cases/describe-case.ts'
import classes from './case-members.module.css'
import { useCasePeople, useSetMember, useRemoveMember } from './use-cases.ts'
import { ErrorText } from './error-text.tsx'
import common from '../../shared/ui/common.module.css'
import { Form } from '../../shared/ui/form.tsx'
import { toastUndo } from '../../shared/action-toast.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'

interface RowContext {
  caseId: string
  canManage: boolean
  /** Whether a removed member can be added again. */
  canAdd: boolean
}

/** Adds a member by the e-mail address of an account or pending invitation; suggests people from the user's other cases by name. */
function AddMemberForm({ caseId, members }: { caseId: string; members: CaseMember[] }) {
  const people = useCasePeople().filter(({ id }) => !members.some((member) => member.id === id))
  const names = new Map(people.map(({ email, name }) => [email, name]))
  const setMember = useSetMember(caseId)
  const initialValues: { email: string; role: MemberRole } = { email: '', role: 'view' }
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues,
    validate: (values) => validateInput(cases.setMember.body, values),
    send: (values) => setMember.mutateAsync(values),
    onSuccess: ({ invitees }, { email }) => {
      const isInvited = invitees.some((invitee) => invitee.email === email)
      toastSuccess(
        isInvited
          ? t('{email} becomes a member by accepting the invitation', { email })
          : t('{email} is a member now', { email }),
      )
      form.reset()
    },
  })
  return (
    <Form
      onSubmit={submit}
      gap="xs"
      p="0.875rem 1.25rem 1.25rem"
      className={common.lineAbove}
      aria-label={t('Add a member')}
    >
      <Autocomplete
        label={t('Add a member')}
        placeholder={t('E-mail address')}
        type="email"
        autoComplete="off"
        data={people.map(({ email }) => email)}
        // Search by name too, since an address need not contain it.
        filter={({ options, search }) => {
          const wanted = search.trim().toLocaleLowerCase()
          const texts = ({ value }: { value: string }) => `${names.get(value) ?? ''} ${value}`.toLocaleLowerCase()
          return options.filter((option) => 'value' in option && texts(option).includes(wanted))
        }}
        renderOption={({ option: { value } }) => (
          <Stack gap={0} miw={0}>
            <Isolated isCut>{names.get(value) ?? value}</Isolated>
            <Text span inherit fz="xs" c="dimmed">
              {value}
            </Text>
          </Stack>
        )}
        {...form.getInputProps('email')}
      />
      <div className={classes.addRow}>
        <Select aria-label={t('Role of the new member')} data={roleChoices} {...form.getInputProps('role')} />
        <Button type="submit" variant="default" loading={isBusy}>
          {t('Add')}
        </Button>
      </div>
      {generalError && <ErrorText>{generalError}</ErrorText>}
    </Form>
  )
}

/** The people who may read a case. Its owner and admins change and remove members; its owner and super admins add them. */
export function CaseMembers({ shown }: { shown: CaseDetails }) {
  const user = useUser()
  const isOwner = shown.role === 'owner'
  const canManage = isOwner || isAdmin(user)
  const canAdd = isOwner || isSuperAdmin(user)
  return (
    <Panel title={t('Members')} icon={<IconUsers size={20} stroke={1.5} aria-hidden />} isFlush>
      <Box component="ul" py={4} px={0} aria-label={t('Members')}>
        {shown.members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            caseId={shown.id}
            canAdd={canAdd}
            canManage={canManage && member.role !== 'owner' && member.id !== user.id}
          />
        ))}
        {shown.invitees.map((invitee) => (
          <InviteeRow key={invitee.id} invitee={invitee} caseId={shown.id} canAdd={canAdd} canManage={canManage} />
        ))}
      </Box>
      {canAdd && <AddMemberForm caseId={shown.id} members={shown.members} />}
      {canManage && !isOwner && <ConfirmationDialog />}
    </Panel>
  )
}

/** A member of a case. */
function MemberRow({ member, ...context }: RowContext & { member: CaseMember }) {
  const { name, email, is_active: isActive } = member
  return (
    <PersonRow {...context} person={member} name={name}>
      {email}
      {!isActive && ` · ${t('deactivated')}`}
    </PersonRow>
  )
}

/** Someone who becomes a member once they accept their invitation. */
function InviteeRow({ invitee, ...context }: RowContext & { invitee: CaseInvitee }) {
  return (
    <PersonRow {...context} person={invitee} name={invitee.email} isWrapped>
      {invitee.is_expired ? t('Invitation expired: an admin can resend it') : t('Invited, no account yet')}
    </PersonRow>
  )
}

interface PersonRowProps extends RowContext {
  person: { id: string; email: string; role: CaseRole }
  name: string
  /** Whether name and note wrap instead of being cut off. */
  isWrapped?: boolean
  /** Shown below the name. */
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
