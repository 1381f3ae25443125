import { Button, CloseButton, Group, NativeSelect } from '@mantine/core'
import IconBellPlus from '@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { useMemo } from 'react'
import { type AlertFilter, AlertCategory, AlertStateFilter, type WatchList } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import common from '../../shared/ui/common.module.css'
import { AlertList } from './alert-list.tsx'
import { isNarrowed, useAlertsAddress } from './alerts-address.ts'
import { useAlertActions, useAlerts } from './use-alerts.ts'
import { useWatchLists } from './use-watch-lists.ts'
import classes from './inbox.module.css'

interface InboxFilterProps {
  filter: AlertFilter
  watchLists: WatchList[]
  /** The name of the filter's recording, if known. */
  recordingName: string | undefined
  onChange: (filter: AlertFilter) => void
}

const states: { value: AlertStateFilter; label: string }[] = [
  { value: 'new', label: t('New') },
  { value: 'reviewed', label: t('Reviewed') },
  { value: 'dismissed', label: t('Dismissed') },
  { value: 'gone', label: t('No longer in the text') },
  { value: 'all', label: t('All') },
]
const categories = [
  { value: '', label: t('All categories') },
  ...keywordCategories.map((category) => ({ value: category, label: keywordCategoryNames[category].name })),
  { value: 'own', label: t('Words of watch lists') },
]

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

/** Chooses which alerts are shown. */
function InboxFilter({ filter, watchLists, recordingName, onChange }: InboxFilterProps) {
  const { recording: _recording, ...others } = filter
  return (
    <div className={classes.bar} role="group" aria-label={t('Filters')}>
      <NativeSelect
        label={t('State')}
        data={states}
        value={filter.state}
        onChange={({ currentTarget }) => onChange({ ...filter, state: AlertStateFilter.parse(currentTarget.value) })}
      />
      <NativeSelect
        label={t('Watch list')}
        data={[
          { value: '', label: t('All watch lists') },
          ...watchLists.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filter.watch_list ?? ''}
        onChange={({ currentTarget }) => onChange({ ...filter, watch_list: currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t('Category')}
        data={categories}
        value={filter.category ?? ''}
        onChange={({ currentTarget }) => {
          onChange({ ...filter, category: AlertCategory.safeParse(currentTarget.value).data })
        }}
      />
      {filter.recording && (
        <Group
          component="span"
          gap={4}
          wrap="nowrap"
          display="inline-flex"
          miw={0}
          mih={36}
          px="0.75rem 0.25rem"
          bdrs="md"
          c="var(--awaz-accent-ink)"
          bg="var(--awaz-accent-soft)"
          className={common.wrap}
        >
          <Isolated>{recordingName ?? t('One recording')}</Isolated>
          <CloseButton size="sm" aria-label={t('Show all recordings')} onClick={() => onChange(others)} />
        </Group>
      )}
    </div>
  )
}
