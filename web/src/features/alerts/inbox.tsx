import { Button } from '@mantine/core'
import IconBellPlus from '@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { useMemo } from 'react'
import type { AlertFilter } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { AlertList } from './alert-list.tsx'
import { isNarrowed, useAlertsAddress } from './alerts-address.ts'
import { InboxFilter } from './inbox-filter.tsx'
import { useAlertActions, useAlerts } from './use-alerts.ts'
import { useWatchLists } from './use-watch-lists.ts'

/** The alerts, to be reviewed or dismissed one by one or all at once. */
export function Inbox() {
  const { filter, setFilter, setTab } = useAlertsAddress()
  const { data, isError, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useAlerts(filter)
  const { data: watchLists } = useWatchLists()
  const actions = useAlertActions(filter)
  const alerts = useMemo(() => data?.pages.flatMap((page) => page.alerts) ?? [], [data])
  const total = data?.pages[0]?.total ?? 0

  if (watchLists?.length === 0) return <NoWatchListsNotice onAdd={() => setTab('watch-lists')} />
  const recording = alerts[0]?.recording
  return (
    <>
      <InboxFilter
        filter={filter}
        watchLists={watchLists ?? []}
        recordingName={filter.recording && recording?.id === filter.recording ? recording.name : undefined}
        onChange={setFilter}
      />
      {isPending && <LoadingNotice label={t('Loading your alerts')} />}
      {isError && <ErrorNotice message={t('Your alerts could not be loaded.')} onRetry={() => void refetch()} />}
      {data && alerts.length === 0 && <NoAlertsNotice filter={filter} onShowAll={() => setFilter({ state: 'all' })} />}
      {alerts.length > 0 && <AlertList alerts={alerts} total={total} filter={filter} actions={actions} />}
      {hasNextPage && (
        <Button variant="default" fullWidth mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function NoWatchListsNotice({ onAdd }: { onAdd: () => void }) {
  return (
    <Notice
      title={t('Nothing is watched yet')}
      icon={<IconBellPlus size={22} stroke={1.5} />}
      action={<Button onClick={onAdd}>{t('Add a watch list')}</Button>}
    >
      {t(
        'A watch list names keyword categories or words. When a transcription or translation finishes, each place where they are said comes to this inbox.',
      )}
    </Notice>
  )
}

function NoAlertsNotice({ filter, onShowAll }: { filter: AlertFilter; onShowAll: () => void }) {
  const isUnread = filter.state === 'new' && !isNarrowed(filter)
  return (
    <Notice
      title={isUnread ? t('You are up to date') : t('No alerts here')}
      icon={<IconInbox size={22} stroke={1.5} />}
      action={
        (isUnread || isNarrowed(filter)) && (
          <Button variant="default" onClick={onShowAll}>
            {t('Show all alerts')}
          </Button>
        )
      }
    >
      {isUnread ? t('New alerts come here when a job finishes.') : t('No alert matches these filters.')}
    </Notice>
  )
}
