import { Alert, Button, Group, Modal, Text, TextInput } from '@mantine/core'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import IconMailFast from '@tabler/icons-react/dist/esm/icons/IconMailFast.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { superAdmin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { isSessionExpired } from '../../shared/api/api-error.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useUser } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'
import { InvitationSheet } from './invitation-sheet.tsx'
import { describeMailError, OutboxMail, OutboxRow } from './outbox-row.tsx'
import { adminKey, describeLoadError, useRefresh } from './use-admin.ts'
import common from '../../shared/ui/common.module.css'

/** Sends a test mail, to the user's own address by default, to see whether the mail server accepts it. */
function TestMailDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
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
    <Form onSubmit={submit}>
      <Text c="dimmed">{t('It is sent at once; the reply of the mail server is shown here where it refuses.')}</Text>
      {error && !isSessionExpired(error) && (
        <Alert color="red" role="alert" title={t('The test mail was not sent')}>
          {describeMailError(error)}
        </Alert>
      )}
      <TextInput label={t('To')} type="email" required data-autofocus {...form.getInputProps('to')} />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={isBusy}>
          {t('Send')}
        </Button>
      </DialogActions>
    </Form>
  )
}

/** Unsent mails: handed over by hand if there is no mail server, otherwise retried. */
export function OutboxPage() {
  return (
    <ConsolePage
      title={t('Mail')}
      access="super_admin"
      lead={t('Mails that have not gone out yet. Reading one is written to the audit trail.')}
    >
      <Outbox />
    </ConsolePage>
  )
}

function Outbox() {
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [adminKey, 'outbox'],
    queryFn: () => call(superAdmin.outbox),
  })
  const message = describeLoadError(error)
  return (
    <div className={classes.surface}>
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the mails')} />}
      {!message && data && <Mails outbox={data} />}
    </div>
  )
}

function Mails({ outbox: { mails, is_smtp_configured: hasServer } }: { outbox: Response<typeof superAdmin.outbox> }) {
  const refresh = useRefresh()
  const [openId, setOpenId] = useState<string>()
  const [isTesting, setIsTesting] = useState(false)
  const [areHandedOver, setAreHandedOver] = useState(false)
  const invitationIds = mails.filter(({ purpose }) => purpose === 'invitation').map(({ id }) => id)
  return (
    <>
      <Group gap="sm" py={14} px={20} className={common.lineBelow}>
        <Text flex="1 1 16rem" c="dimmed" fz="sm">
          {hasServer
            ? t('Mails go out through your mail server. What it does not take waits here and is tried again.')
            : t('No mail server is set (SMTP_URL): links and codes wait here until you hand them over.')}
        </Text>
        <Group gap="xs" align="stretch" ms="auto">
          {hasServer && (
            <Button
              variant="default"
              leftSection={<IconMailFast size={16} stroke={1.5} aria-hidden />}
              onClick={() => setIsTesting(true)}
            >
              {t('Send test mail')}
            </Button>
          )}
          {!hasServer && invitationIds.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
              onClick={() => setAreHandedOver(true)}
            >
              {t('Invitations on one page')}
            </Button>
          )}
          <Button variant="default" onClick={refresh}>
            {t('Refresh')}
          </Button>
        </Group>
      </Group>
      {mails.length === 0 ? (
        <Notice title={t('Nothing is waiting')} icon={<IconInbox size={22} stroke={1.5} />}>
          {hasServer
            ? t('Every mail has been taken by the mail server.')
            : t('A mail appears here when somebody registers, is invited or forgets a password.')}
        </Notice>
      ) : (
        <ul aria-label={t('Mails')}>
          {mails.map((mail) => (
            <OutboxRow key={mail.id} mail={mail} canSend={hasServer} onRead={() => setOpenId(mail.id)} />
          ))}
        </ul>
      )}
      <Modal opened={Boolean(openId)} onClose={() => setOpenId(undefined)} title={t('Mail')} size="lg">
        {openId && <OutboxMail id={openId} />}
      </Modal>
      <Modal opened={areHandedOver} onClose={() => setAreHandedOver(false)} title={t('Invitations')} size="lg">
        <InvitationSheet ids={invitationIds} />
      </Modal>
      <TestMailDialog isOpen={isTesting} onClose={() => setIsTesting(false)} />
    </>
  )
}
