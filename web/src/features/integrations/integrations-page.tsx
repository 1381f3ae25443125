import { Stack, Button, Text, Alert, Box, Group, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import { t } from '#contract/texts/t.ts'
import { maxWebhooks, type Webhook, type WebhookDelivery } from '#contract/entities/webhook.ts'
import { Page } from '../../shared/ui/page.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { comma, formatAgo, formatMoment } from '../../shared/format.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { eventNames } from '../../shared/webhook-event-names.ts'
import common from '../../shared/ui/common.module.css'
import { ApiKeysPanel } from './api-keys-panel.tsx'
import { useWebhooks, useWebhookActions } from './use-integrations.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { DeliveryLog } from './delivery-log.tsx'

/** The user's API keys and webhooks. */
export function IntegrationsPage() {
  return (
    <Page title={t('Integrations')} width="narrow" lead={t('How other programs work with your recordings.')}>
      <Stack gap={20}>
        <ApiKeysPanel />
        <WebhooksPanel />
      </Stack>
    </Page>
  )
}

/** The user's webhooks, with their logs. */
function WebhooksPanel() {
  const { data, isPending, isError, refetch } = useWebhooks()
  const [isAdding, adding] = useDisclosure(false)
  return (
    <Panel
      title={t('Webhooks')}
      icon={<IconWebhook size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        <Button size="xs" onClick={adding.open} disabled={!data || data.length >= maxWebhooks}>
          {t('Add webhook')}
        </Button>
      }
    >
      <Text py="md" px={20} c="dimmed" size="sm">
        {t(
          'A webhook tells another system when a job has ended or an alert was raised. It is sent ids and counts, never what was said.',
        )}
      </Text>
      {isPending && <LoadingNotice label={t('Loading your webhooks')} />}
      {isError && <ErrorNotice message={t('Your webhooks could not be loaded.')} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text p="0 1.25rem 1.25rem">{t('You have no webhooks.')}</Text>}
      {data && data.length > 0 && (
        <ul>
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      <WebhookDialog isOpen={isAdding} onClose={adding.close} />
    </Panel>
  )
}

/** One webhook: its state, its actions, and its log once opened. */
function WebhookRow({ webhook }: { webhook: Webhook }) {
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
