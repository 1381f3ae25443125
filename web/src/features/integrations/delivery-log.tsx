import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { maxShownDeliveries, type WebhookDelivery } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatExactMoment, formatMoment } from '../../shared/format.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import classes from './delivery-log.module.css'
import { eventNames } from '../../shared/webhook-event-names.ts'
import { useDeliveries, useWebhookActions } from './use-integrations.ts'
import common from '../../shared/ui/common.module.css'
import { ListRow } from '../../shared/ui/list-row.tsx'

const states: Record<WebhookDelivery['state'], { label: string; color: string }> = {
  delivered: { label: t('Delivered'), color: 'green' },
  waiting: { label: t('Waiting'), color: 'gray' },
  failed: { label: t('Failed'), color: 'red' },
}

/** The latest deliveries of a webhook, each with a button to send it again. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const { data, isPending, isError, refetch } = useDeliveries(webhookId)
  if (isPending) return <LoadingNotice label={t('Loading the log')} />
  if (isError) return <ErrorNotice message={t('The log could not be loaded.')} onRetry={() => void refetch()} />
  if (data.length === 0) return <Text c="dimmed">{t('Nothing was sent yet.')}</Text>
  return (
    <ul
      className={classes.log}
      aria-label={t('{count, plural, one {Last # delivery, newest first} other {Last # deliveries, newest first}}', {
        count: maxShownDeliveries,
      })}
    >
      {data.map((delivery) => (
        <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />
      ))}
    </ul>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { retry } = useWebhookActions(webhookId)
  const { label, color } = states[delivery.state]
  const event = eventNames[delivery.event]
  return (
    <ListRow py={10} px="sm">
      <Box miw={0} flex="1 1 12rem">
        <Group component="span" gap="0.25rem 0.5rem">
          <Badge color={color} variant="light">
            {label}
          </Badge>
          <Text span size="sm" fw={560}>
            {event}
          </Text>
          <Text span size="sm" c="dimmed" title={formatExactMoment(delivery.created_at)}>
            {formatAgo(delivery.created_at)}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" className={common.wrap}>
          {describeOutcome(delivery)}
        </Text>
      </Box>
      <Button
        variant="default"
        size="compact-sm"
        loading={retry.isPending}
        onClick={() => retry.mutate(delivery.id, { onSuccess: announce })}
        aria-label={t('Send again: {event} of {moment}', { event, moment: formatMoment(delivery.created_at) })}
      >
        {t('Send again')}
      </Button>
    </ListRow>
  )
}

function announce({ error }: WebhookDelivery): void {
  if (error === null) toastSuccess(t('Delivered'))
  else toastError(error)
}

function describeOutcome(delivery: WebhookDelivery): string {
  const { attempts, status, error, duration_ms: durationMs, next_attempt_at: nextAt } = delivery
  const answer = error ?? (status === null ? null : t('Answered {status}', { status }))
  const facts = [
    answer && answer.replace(/\.$/, ''),
    durationMs !== null && t('{duration, number, ::group-off} ms', { duration: durationMs }),
    attempts > 1 && t('{attempts, plural, one {# attempt} other {# attempts}}', { attempts }),
    nextAt && attempts > 0 && t('next attempt {moment}', { moment: formatMoment(nextAt) }),
  ]
  return facts.filter(Boolean).join(' · ') || t('Not sent yet')
}
