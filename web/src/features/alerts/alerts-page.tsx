import { Tabs } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { alertTabs, useAlertsAddress } from './alerts-address.ts'
import { DigestPanel } from './digest-panel.tsx'
import { Inbox } from './inbox.tsx'
import { UnreadAlerts } from './unread-alerts.tsx'
import { WatchLists } from './watch-lists.tsx'

/** The inbox of alerts, the watch lists that raise them, and the mails about them. */
export function AlertsPage() {
  const { tab, setTab } = useAlertsAddress()
  return (
    <Page title={t('Alerts')} lead={t('What your watch lists find in recordings, as soon as a job has finished.')}>
      <Tabs
        value={tab}
        onChange={(value) => setTab(alertTabs.find((known) => known === value) ?? 'inbox')}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="inbox" rightSection={<UnreadAlerts />}>
            {t('Inbox')}
          </Tabs.Tab>
          <Tabs.Tab value="watch-lists">{t('Watch lists')}</Tabs.Tab>
          <Tabs.Tab value="mails">{t('E-mails')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="inbox">
          <Inbox />
        </Tabs.Panel>
        <Tabs.Panel value="watch-lists">
          <WatchLists />
        </Tabs.Panel>
        <Tabs.Panel value="mails">
          <DigestPanel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
