import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import { maxWebhooks } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { useWebhooks } from './use-integrations.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** The webhooks of the user with their logs. */
export function WebhooksPanel() {
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
