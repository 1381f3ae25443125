import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { ApiKeysPanel } from './api-keys-panel.tsx'
import classes from './integrations-page.module.css'
import { WebhooksPanel } from './webhooks-panel.tsx'

/** API keys and webhooks of the user. */
export function IntegrationsPage() {
  return (
    <Page title={t('Integrations')} width="narrow" lead={t('How other programs work with your recordings.')}>
      <div className={classes.stack}>
        <ApiKeysPanel />
        <WebhooksPanel />
      </div>
    </Page>
  )
}
