import { Badge, Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import { profile } from '#contract/endpoints/profile.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { formatDeadline } from '../../shared/format.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { blankCodeMessage, SecondFactorCodeField } from '../../shared/two-factor/code-field.tsx'
import { twoFactorCodeHeader } from '../../shared/two-factor/two-factor-code-header.ts'
import { SecondFactorOptions } from '../../shared/two-factor/second-factor-options.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { PasswordGate } from './confirm-password.tsx'
import { canUsePasskeys } from './passkeys-support.ts'
import { BackupCodesLeft } from './renew-codes.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

/** The two-factor status, with dialogs to enable and disable it. */
export function TwoFactorCard() {
  const user = useUser()
  const session = useSessionActions()
  const [isEnabling, enabling] = useDisclosure(false)
  const [isDisabling, disabling] = useDisclosure(false)

  /** The wizard's last step shows the backup codes, so the user is reloaded only when it closes. */
  function finishEnabling() {
    enabling.close()
    void session.reload()
  }

  return (
    <Panel
      title={t('Two-Factor Authentication')}
      icon={<IconShieldLock size={20} stroke={1.5} aria-hidden />}
      note={
        <Badge color={user.two_factor_enabled ? 'green' : 'gray'}>
          {user.two_factor_enabled ? t('Enabled') : t('Disabled')}
        </Badge>
      }
      actions={
        user.two_factor_enabled ? (
          <Button variant="default" onClick={disabling.open}>
            {t('Disable 2FA')}
          </Button>
        ) : (
          <Button onClick={enabling.open}>{t('Enable 2FA')}</Button>
        )
      }
    >
      <Text c="dimmed">{describeFactor(user)}</Text>
      {user.two_factor_enabled ? <BackupCodesLeft /> : <SecondFactorOptions hasPasskeys={canUsePasskeys()} />}
      <Modal opened={isEnabling} onClose={finishEnabling} title={t('Enable Two-Factor Authentication')} size="lg">
        <PasswordGate onCancel={enabling.close}>
          <TwoFactorSetUp onComplete={finishEnabling} onCancel={finishEnabling} />
        </PasswordGate>
      </Modal>
      <Modal opened={isDisabling} onClose={disabling.close} title={t('Disable Two-Factor Authentication')}>
        <PasswordGate onCancel={disabling.close}>
          <DisableForm onClose={disabling.close} />
        </PasswordGate>
      </Modal>
    </Panel>
  )
}

function describeFactor({ two_factor_enabled: isEnabled, printed_codes_left: codesLeft }: User): string {
  if (!isEnabled) {
    return t('A code in addition to the password: someone who learns your password still cannot sign in.')
  }
  return codesLeft === null
    ? t('Signing in asks for a code from your authenticator.')
    : t('Signing in asks for a code from your printed list.')
}

function DisableForm({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const isPrinted = user.printed_codes_left !== null
  const { setUser } = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() ? {} : { code: blankCodeMessage(user) }),
    send: ({ code }) => call(profile.disableTwoFactor, { headers: twoFactorCodeHeader(code) }),
    onSuccess: ({ user }) => {
      setUser(user)
      toastSuccess(t('2FA disabled'))
      onClose()
    },
    onError: (error) => toastError(messageOf(error, t('Failed to disable 2FA'))),
  })

  return (
    <Form onSubmit={submit}>
      <Text>
        {isPrinted
          ? t('Your account will be protected only by its password, and your printed list stops working.')
          : t('Your account will be protected only by its password, and your backup codes stop working.')}{' '}
        {user.two_factor_due !== null &&
          !user.has_passkey &&
          (user.two_factor_grace
            ? t('This server requires two-factor: please set it up again by {deadline}.', {
                deadline: formatDeadline(user.two_factor_due),
              })
            : t('This server requires two-factor: you must set it up again before anything else opens.'))}
      </Text>
      <SecondFactorCodeField data-autofocus {...form.getInputProps('code')} />
      <DialogActions onCancel={onClose} mt={20}>
        <Button color="red" type="submit" loading={isBusy}>
          {t('Disable 2FA')}
        </Button>
      </DialogActions>
    </Form>
  )
}
