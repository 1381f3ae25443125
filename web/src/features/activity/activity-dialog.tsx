import { Box, Button, Modal, Stack, Text } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useMemo } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { RecordingActivity } from '#contract/recording-activity.ts'
import { t } from '#contract/texts/t.ts'
import { activity } from '#contract/endpoints/activity.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { formatDate, formatTime } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { describeAction } from '../admin/audit-labels.ts'
import { describeEvent } from '../admin/recording-details.ts'
import { call } from '../../shared/api/client.ts'
import classes from './activity-dialog.module.css'
import common from '../../shared/ui/common.module.css'

/** Entries per request. */
const pageSize = 50

/** Returns what was done with a recording, newest first, a page at a time. */
function useActivity(id: string) {
  return useInfiniteQuery({
    queryKey: ['activity', id],
    queryFn: ({ pageParam }) =>
      call(activity.ofRecording, { params: { id }, query: { page: pageParam, per_page: pageSize } }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    retry: false,
  })
}

/** What was done on one day, in the reader's time zone and calendar. */
interface ActivityDay {
  day: string
  entries: RecordingActivity[]
}

/** Groups entries by day, in order. An entry listed twice (new ones may arrive while pages load) is shown once. */
function groupByDay(entries: RecordingActivity[]): ActivityDay[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const days = Map.groupBy(known.values(), ({ at }) => formatDate(at))
  return [...days].map(([day, own]) => ({ day, entries: own }))
}

interface ActivityDialogProps {
  recording: { id: string; name: string }
  onClose: () => void
}

/** Shows the owner of a recording who did what with it, and when. */
export function ActivityDialog({ recording, onClose }: ActivityDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('Activity')} size="lg">
      <Box component="p" mb="md" className={common.wrap}>
        {rich('Who did what with {name}. Opening, listening and correcting stand here once an hour.', {
          name: <Isolated className={classes.name}>{recording.name}</Isolated>,
        })}
      </Box>
      <ActivityList id={recording.id} />
    </Modal>
  )
}

function ActivityList({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useActivity(id)
  const days = useMemo(() => groupByDay(data?.pages.flatMap(({ entries }) => entries) ?? []), [data])
  if (error && !data)
    return (
      <ErrorNotice message={messageOf(error, t('The activity could not be loaded.'))} onRetry={() => void refetch()} />
    )
  if (!data) return <LoadingNotice label={t('Loading the activity')} />
  if (days.length === 0)
    return (
      <Notice title={t('Nothing is recorded yet.')} icon={<IconHistory size={22} stroke={1.5} />}>
        {t('What you and members of its cases do with this recording from now on stands here.')}
      </Notice>
    )
  return (
    <>
      {days.map((day) => (
        <Day key={day.day} {...day} />
      ))}
      {hasNextPage && (
        <Button variant="default" fullWidth mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function Day({ day, entries }: ActivityDay) {
  return (
    <section aria-label={day}>
      <h3 className={classes.day}>{day}</h3>
      <Stack component="ul" gap={0} mb={20}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Stack>
    </section>
  )
}

function Entry({ entry }: { entry: RecordingActivity }) {
  const details = describeEvent(entry)
  return (
    <li className={classes.entry}>
      <Text component="time" inherit c="dimmed" fz="sm" lh={1.6} className={common.figures} dateTime={entry.at}>
        {formatTime(entry.at)}
      </Text>
      <Box miw={0} className={common.wrap}>
        <Text fw={560} inherit>
          {describeAction(entry.action)}
        </Text>
        <Text c="dimmed" fz="sm">
          {describeWho(entry.who)}
          {details && (
            <>
              {' · '}
              <Isolated>{details}</Isolated>
            </>
          )}
        </Text>
      </Box>
    </li>
  )
}

function describeWho(who: RecordingActivity['who']) {
  if (who === null) return t('by Awaz')
  return who.is_you ? t('by you') : rich('by {actor}', { actor: <Isolated>{who.name}</Isolated> })
}
