import { Button, Modal } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useMemo } from 'react'
import type { RecordingActivity } from '#contract/recording-activity.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { formatTime } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { describeAction } from '../admin/audit-labels.ts'
import { describeEvent } from '../admin/recording-details.ts'
import classes from './activity-dialog.module.css'
import { groupByDay, type ActivityDay } from './group-by-day.ts'
import { useActivity } from './use-activity.ts'

interface ActivityDialogProps {
  recording: { id: string; name: string }
  onClose: () => void
}

/** Shows its owner who did what with a recording, and when. */
export function ActivityDialog({ recording, onClose }: ActivityDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('Activity')} size="lg">
      <p className={classes.lead}>
        {rich('Who did what with {name}. Opening, listening and correcting stand here once an hour.', {
          name: <Isolated className={classes.name}>{recording.name}</Isolated>,
        })}
      </p>
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
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ entry }: { entry: RecordingActivity }) {
  const details = describeEvent(entry)
  return (
    <li className={classes.entry}>
      <time className={classes.time} dateTime={entry.at}>
        {formatTime(entry.at)}
      </time>
      <div className={classes.deed}>
        <p className={classes.what}>{describeAction(entry.action)}</p>
        <p className={classes.facts}>
          {describeWho(entry.who)}
          {details && (
            <>
              {' · '}
              <Isolated>{details}</Isolated>
            </>
          )}
        </p>
      </div>
    </li>
  )
}

function describeWho(who: RecordingActivity['who']) {
  if (who === null) return t('by Awaz')
  return who.is_you ? t('by you') : rich('by {actor}', { actor: <Isolated>{who.name}</Isolated> })
}
