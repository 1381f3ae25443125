import { Alert, Button, Modal, Text, TextInput } from '@mantine/core'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { isSessionExpired } from '../../shared/api/api-error.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useUser } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import classes from './admin.module.css'
import { describeMailError } from './outbox-row.tsx'

/** Sends a mail to an address, one's own unless another is given, to see whether the mail server takes it. */
export function TestMailDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Send test mail')}>
      <TestMailForm onClose={onClose} />
    </Modal>
  )
}

function TestMailForm({ onClose }: { onClose: () => void }) {
  const { form, submit, isBusy, error } = useMutationForm({
    initialValues: { to: useUser().email },
    validate: (values) => validateInput(superAdmin.testMail.body, values),
    send: (values) => call(superAdmin.testMail, { body: values }),
    onSuccess({ message }) {
      toastSuccess(message)
      onClose()
    },
    sortErrors: () => ({ fields: {} }),
  })
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Text c="dimmed">{t('It is sent at once; the reply of the mail server is shown here where it refuses.')}</Text>
      {error && !isSessionExpired(error) && (
        <Alert color="red" role="alert" title={t('The test mail was not sent')}>
          {describeMailError(error)}
        </Alert>
      )}
      <TextInput label={t('To')} type="email" required data-autofocus {...form.getInputProps('to')} />
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t('Send')}
        </Button>
      </div>
    </form>
  )
}
