import { Alert, Button, Modal, Select, SimpleGrid } from '@mantine/core'
import { invitations } from '#contract/endpoints/invitations.ts'
import { defaultInvitationDays, InvitationInput } from '#contract/entities/invitation.ts'
import { roles, type Role } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useServerConfig } from '../../shared/config.ts'
import { sortByField, validateInput, type FormErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields } from '../../shared/form/user-fields.tsx'
import { useUser } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { roleMeanings } from '../admin/role-names.ts'
import { dayChoices } from './describe-invitation.ts'
import classes from './people.module.css'
import { assignableRoles, roleOptions } from './roles.ts'
import { useRefreshInvitations } from './use-invitations.ts'

const initialValues = {
  email: '',
  first_name: '',
  last_name: '',
  role: 'user' as Role,
  /** The select holds strings. */
  days: String(defaultInvitationDays),
}

interface InviteDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Invites one person. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Invite somebody')} size="lg">
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

/** Shows an address that is already known as an error of its field. */
function sortErrors(error: Error): FormErrors {
  if (!(error instanceof ApiError)) return { fields: {}, general: t('Network error. Please try again.') }
  if (error.code === 'conflict' || error.code === 'email_taken') {
    return { fields: { email: [messageOf(error, ''), error.help].filter(Boolean).join(' ') } }
  }
  return sortByField(error, Object.keys(initialValues))
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const self = useUser()
  const sendsMail = useServerConfig()?.is_smtp_configured ?? true
  const refresh = useRefreshInvitations()
  const { form, submit, isBusy, generalError, error } = useMutationForm({
    initialValues,
    validate: (values) => validateInput(InvitationInput, { ...values, days: Number(values.days) }),
    send: (values) => call(invitations.create, { body: { ...values, days: Number(values.days) } }),
    sortErrors,
    onSuccess: async ({ invitation }) => {
      toastSuccess(
        sendsMail
          ? t('Invitation sent to {email}', { email: invitation.email })
          : t('{email} is invited. The link is on the Mail page.', { email: invitation.email }),
        { durationMs: 4000 },
      )
      onClose()
      await refresh()
    },
  })
  return (
    <Form onSubmit={submit}>
      {generalError && !isSessionExpired(error) && (
        <Alert color="red" role="alert">
          {generalError}
        </Alert>
      )}
      <EmailField form={form} required data-autofocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NameFields form={form} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('Role')}
          description={roleMeanings[form.values.role]}
          data={roleOptions(assignableRoles(self))}
          {...form.getInputProps('role')}
          onChange={(value) => form.setFieldValue('role', roles.find((known) => known === value) ?? 'user')}
        />
        <Select
          label={t('The link works for')}
          description={t('A new one can be sent at any time.')}
          data={dayChoices}
          {...form.getInputProps('days')}
        />
      </SimpleGrid>
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {sendsMail ? t('Send invitation') : t('Invite')}
        </Button>
      </div>
    </Form>
  )
}
