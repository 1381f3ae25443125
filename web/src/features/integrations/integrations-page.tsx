import { Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { ApiKeysPanel } from './api-keys-panel.tsx'
import { WebhooksPanel } from './webhooks-panel.tsx'

/** API keys and webhooks of the user. */
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
