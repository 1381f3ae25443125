import { Alert, Box, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Webhook, WebhookDelivery } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatAgo, formatMoment } from '../../shared/format.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { eventNames } from '../../shared/webhook-event-names.ts'
import { useWebhookActions } from './use-integrations.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import common from '../../shared/ui/common.module.css'

/** One webhook: its state, what can be done with it, and its log when it is opened. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { url, events, is_enabled: isEnabled, switched_off_at: switchedOffAt } = webhook
  const { toggle, sendTest, remove } = useWebhookActions(webhook.id)
  const [isLogOpen, log] = useDisclosure(false)
  const [isEditing, editing] = useDisclosure(false)
  const [isConfirming, confirming] = useDisclosure(false)
  return (
    <Stack component="li" gap="sm" py="md" px={20} className={common.lineAbove}>
      <Group align="flex-start" justify="space-between" wrap="nowrap">
        <Box miw={0}>
          <Text fw={560} dir="ltr" ta="start" className={common.wrap}>
            {url}
          </Text>
          <Text size="sm" c="dimmed">
            {events.map((event) => eventNames[event]).join(comma)} · {describeLastAttempt(webhook)}
          </Text>
        </Box>
        <Switch
          checked={isEnabled}
          disabled={toggle.isPending}
          onChange={(event) => toggle.mutate(event.currentTarget.checked)}
          label={isEnabled ? t('On') : t('Off')}
          aria-label={t('Webhook to {url}', { url })}
        />
      </Group>
      {switchedOffAt && (
        <Alert
          color="amber"
          variant="light"
          title={t('Switched off on {moment}', { moment: formatMoment(switchedOffAt) })}
        >
          {t(
            'All deliveries failed for more than a day. See the log, send a test, and switch it on again: what waits is sent then.',
          )}
        </Alert>
      )}
      <Group gap="xs" align="stretch">
        <Button
          variant="default"
          size="compact-sm"
          loading={sendTest.isPending}
          onClick={() => sendTest.mutate(undefined, { onSuccess: announce })}
        >
          {t('Send test')}
        </Button>
        <Button variant="default" size="compact-sm" aria-expanded={isLogOpen} onClick={log.toggle}>
          {isLogOpen ? t('Close log') : t('Log')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={editing.open}>
          {t('Change')}
        </Button>
        <Button variant="subtle" color="red" size="compact-sm" onClick={confirming.open}>
          {t('Delete')}
        </Button>
      </Group>
      {isLogOpen && <DeliveryLog webhookId={webhook.id} />}
      <WebhookDialog isOpen={isEditing} webhook={webhook} onClose={editing.close} />
      <ConfirmDialog
        title={t('Delete webhook')}
        confirmLabel={t('Delete')}
        isOpen={isConfirming}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={confirming.close}
      >
        {t('Its secret, its log and what it has not delivered yet are deleted.')}
      </ConfirmDialog>
    </Stack>
  )
}

function announce({ error, status, duration_ms: durationMs }: WebhookDelivery): void {
  if (error === null)
    toastSuccess(
      t('Delivered: the receiver answered {status} after {duration, number, ::group-off} ms', {
        status: String(status),
        duration: durationMs ?? 0,
      }),
    )
  else toastError(error)
}

function describeLastAttempt({ last_attempt: last }: Webhook): string {
  if (!last) return t('nothing sent yet')
  const moment = formatAgo(last.at)
  return last.is_delivered ? t('delivered {moment}', { moment }) : t('failed {moment}', { moment })
}
