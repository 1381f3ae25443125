import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { integrations } from '#contract/endpoints/integrations.ts'
import { webhookEvents, type Webhook } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { eventNames } from '../../shared/webhook-event-names.ts'
import { Form } from '../../shared/ui/form.tsx'
import { SecretField } from './secret-field.tsx'
import { useRefreshIntegrations, type WebhookValues } from './use-integrations.ts'

interface WebhookDialogProps {
  isOpen: boolean
  /** The webhook to change; a new one is created if omitted. */
  webhook?: Webhook
  onClose: () => void
}

/** Asks for the address and events of a webhook; shows the secret of a new one. */
export function WebhookDialog({ isOpen, webhook, onClose }: WebhookDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={webhook ? t('Change webhook') : t('Add webhook')}
      closeOnClickOutside={false}
    >
      <WebhookForm webhook={webhook} onClose={onClose} />
    </Modal>
  )
}

function WebhookForm({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const { refreshWebhooks } = useRefreshIntegrations()
  const { form, submit, isBusy, result } = useMutationForm({
    initialValues: { url: webhook?.url ?? '', events: webhook?.events ?? [...webhookEvents] } as WebhookValues,
    validate,
    send: async (body) => {
      if (!webhook) return (await call(integrations.createWebhook, { body })).secret
      await call(integrations.changeWebhook, { params: { id: webhook.id }, body })
      return null
    },
    onSuccess: async (secret) => {
      await refreshWebhooks()
      if (secret !== null) return
      toastSuccess(t('Webhook changed'))
      onClose()
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  if (result)
    return (
      <SecretField label={t('signing secret')} copyLabel={t('Copy signing secret')} secret={result} onDone={onClose} />
    )
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={t('Address')}
        description={t('It gets a POST with JSON for each event')}
        type="url"
        inputMode="url"
        dir="ltr"
        placeholder="https://example.org/hooks/awaz"
        maxLength={1000}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t('Events')} {...form.getInputProps('events')}>
        <Stack gap="sm" mt="xs">
          {webhookEvents.map((event) => (
            <Checkbox key={event} value={event} label={eventNames[event]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <DialogActions onCancel={onClose}>
        <Button type="submit" loading={isBusy}>
          {webhook ? t('Save') : t('Add')}
        </Button>
      </DialogActions>
    </Form>
  )
}

function validate({ url, events }: WebhookValues) {
  return {
    ...(!/^https?:\/\/\S+$/i.test(url.trim()) && {
      url: t('Please enter an address such as https://example.org/hooks/awaz'),
    }),
    ...(events.length === 0 && { events: t('Please choose at least one event') }),
  }
}
