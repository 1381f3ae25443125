import { Box, Button, Checkbox, Group, Text } from '@mantine/core'
import { useState, lazy, Suspense } from 'react'
import { useDisclosure } from '@mantine/hooks'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Response } from '#contract/endpoint.ts'
import type { library } from '#contract/endpoints/library.ts'
import { t } from '#contract/texts/t.ts'
import { isolateName, withoutIsolates } from '#contract/isolated-name.ts'
import type { TrashedRecording } from '#contract/library.ts'
import { Pages } from '../admin/user-table.tsx'
import type { DeleteQuestion } from './delete-dialog.tsx'
import classes from './trash.module.css'
import { useRestore } from './use-trash.ts'
import common from '../../shared/ui/common.module.css'
import { formatAgo, formatClock, formatDate, formatMoment, formatSize } from '../../shared/format.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { MetaLine } from '../../shared/ui/meta-line.tsx'

interface TrashListProps {
  trash: Response<typeof library.listTrash>
  onPage: (page: number) => void
  onDelete: (question: DeleteQuestion) => void
}

/** A page of the trash, whose selected recordings can be restored or deleted together. */
export function TrashList({ trash: { recordings, page, pages }, onPage, onDelete }: TrashListProps) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const restore = useRestore()
  const shownIds = recordings.map(({ id }) => id)
  // Recordings restored or deleted in the meantime are no longer selected.
  const ids = shownIds.filter((id) => marked.has(id))
  const isAll = ids.length === shownIds.length

  function toggle(id: string) {
    const next = new Set(marked)
    if (!next.delete(id)) next.add(id)
    setMarked(next)
  }

  return (
    <Box
      component="section"
      bd="1px solid var(--awaz-line)"
      bdrs="md"
      bg="var(--awaz-surface)"
      className={common.clip}
      aria-label={t('Deleted recordings')}
    >
      <div className={classes.bar}>
        <Checkbox
          checked={isAll}
          indeterminate={ids.length > 0 && !isAll}
          onChange={() => setMarked(new Set(isAll ? [] : shownIds))}
          label={
            ids.length === 0
              ? t('Select all on this page')
              : t('{count, plural, one {# recording} other {# recordings}} selected', { count: ids.length })
          }
        />
        {ids.length > 0 && (
          <div className={classes.actions}>
            <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.mutate(ids)}>
              {t('Restore')}
            </Button>
            <Button
              variant="default"
              size="xs"
              c="var(--mantine-color-error)"
              onClick={() => onDelete({ count: ids.length, chosen: { ids } })}
            >
              {t('Delete for good')}
            </Button>
          </div>
        )}
      </div>
      <ul aria-label={t('Deleted recordings')}>
        {recordings.map((recording) => (
          <TrashRow
            key={recording.id}
            recording={recording}
            isMarked={marked.has(recording.id)}
            onMark={() => toggle(recording.id)}
            onDelete={onDelete}
          />
        ))}
      </ul>
      {pages > 1 && (
        <Group gap={0} align="stretch" justify="center" wrap="nowrap" p="sm" className={common.lineAbove}>
          <Pages total={pages} page={page} onPage={onPage} />
        </Group>
      )}
    </Box>
  )
}

const ActivityDialog = lazy(async () => ({
  default: (await import('../activity/activity-dialog.tsx')).ActivityDialog,
}))

interface TrashRowProps {
  recording: TrashedRecording
  isMarked: boolean
  onMark: () => void
  onDelete: (question: DeleteQuestion) => void
}

/** A deleted recording, with the time until which it can be restored, and its actions. */
function TrashRow({ recording, isMarked, onMark, onDelete }: TrashRowProps) {
  const { id, name, duration, size, removed_at: removedAt, restorable_until: until } = recording
  const restore = useRestore()
  const [isActivityShown, activity] = useDisclosure(false)
  const isolated = isolateName(name)
  return (
    <li className={classes.row}>
      <Checkbox
        aria-label={withoutIsolates(t('Select {name}', { name: isolated }))}
        checked={isMarked}
        onChange={onMark}
      />
      <Box flex={1} miw={0}>
        <Text span inherit truncate display="block" fw={560} title={isolated}>
          <Isolated isCut>{name}</Isolated>
        </Text>
        <MetaLine>
          <span>{formatClock(duration)}</span>
          <span>{formatSize(size)}</span>
          <span>
            <time dateTime={removedAt} title={formatMoment(removedAt)}>
              {t('deleted {ago}', { ago: formatAgo(removedAt) })}
            </time>
          </span>
          <span>
            <time dateTime={until} title={formatMoment(until)}>
              {t('restorable until {moment}', { moment: formatDate(until) })}
            </time>
          </span>
        </MetaLine>
      </Box>
      <div className={classes.rowActions}>
        <Button
          variant="default"
          size="xs"
          aria-label={withoutIsolates(t('Restore {name}', { name: isolated }))}
          loading={restore.isPending}
          onClick={() => restore.mutate([id])}
        >
          {t('Restore')}
        </Button>
        <IconButton label={t('Activity of {name}', { name: isolated })} onClick={activity.open}>
          <IconHistory size={16} stroke={1.5} />
        </IconButton>
        <IconButton
          label={t('Delete {name} for good', { name: isolated })}
          onClick={() => onDelete({ count: 1, name, chosen: { ids: [id] } })}
        >
          <IconTrash size={16} stroke={1.5} />
        </IconButton>
      </div>
      {isActivityShown && (
        <Suspense>
          <ActivityDialog recording={recording} onClose={activity.close} />
        </Suspense>
      )}
    </li>
  )
}
