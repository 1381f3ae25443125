import { Button, Modal, Text, Textarea } from '@mantine/core'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { useServerConfig } from '../../shared/config.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { displayName } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { useAdminAction } from './use-admin.ts'

interface ResetTwoFactorDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Switches two-factor off for a user who lost a phone, list or backup codes; asks for a reason for the audit trail. */
export function ResetTwoFactorDialog({ user, isOpen, onClose }: ResetTwoFactorDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Reset Two-Factor Authentication')}>
      <ResetForm user={user} onClose={onClose} />
    </Modal>
  )
}

function ResetForm({ user, onClose }: { user: User; onClose: () => void }) {
  const action = useAdminAction({ fields: ['reason'] })
  const config = useServerConfig()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { reason: '' },
    validate: (values) => validateInput(admin.resetTwoFactor.body, values),
    send: (values) =>
      action.mutateAsync({
        run: () => call(admin.resetTwoFactor, { params: { id: user.id }, body: values }),
        success: t('Two-factor authentication reset'),
        failure: t('Failed to reset two-factor authentication'),
        onDone: onClose,
      }),
  })

  const name = <Isolated>{displayName(user)}</Isolated>

  return (
    <Form onSubmit={submit}>
      <Text>
        {config?.gate_requires_2fa
          ? rich(
              '{name} will be signed out everywhere, get an e-mail, and sign in with only a password to set up a new second factor. Verify that the request comes from them. Anyone who signs in without that password will find the library closed.',
              { name },
            )
          : rich(
              '{name} will be signed out everywhere, get an e-mail, and sign in with only a password. Verify that the request comes from them. Anyone who signs in without that password will find the library closed.',
              { name },
            )}
      </Text>
      <Textarea
        label={t('Reason')}
        description={t('Recorded in the audit trail.')}
        placeholder={t('Lost phone; identified in person')}
        required
        rows={3}
        maxLength={300}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" color="red" loading={isBusy}>
          {t('Reset Two-Factor')}
        </Button>
      </DialogActions>
    </Form>
  )
}
