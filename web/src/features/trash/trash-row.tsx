import { Box, Button, Checkbox, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { lazy, Suspense } from 'react'
import { isolateName, withoutIsolates } from '#contract/isolated-name.ts'
import type { TrashedRecording } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatClock, formatDate, formatMoment, formatSize } from '../../shared/format.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { MetaLine } from '../../shared/ui/meta-line.tsx'
import type { DeleteQuestion } from './delete-dialog.tsx'
import classes from './trash.module.css'
import { useRestore } from './use-trash.ts'

const ActivityDialog = lazy(async () => ({
  default: (await import('../activity/activity-dialog.tsx')).ActivityDialog,
}))

interface TrashRowProps {
  recording: TrashedRecording
  isMarked: boolean
  onMark: () => void
  onDelete: (question: DeleteQuestion) => void
}

/** A deleted recording, until when it can be restored, and what can be done with it. */
export function TrashRow({ recording, isMarked, onMark, onDelete }: TrashRowProps) {
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
