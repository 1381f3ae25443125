import { Box, Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import type { Response } from '#contract/endpoint.ts'
import type { library } from '#contract/endpoints/library.ts'
import { t } from '#contract/texts/t.ts'
import { Pages } from '../admin/user-table.tsx'
import type { DeleteQuestion } from './delete-dialog.tsx'
import { TrashRow } from './trash-row.tsx'
import classes from './trash.module.css'
import { useRestore } from './use-trash.ts'
import common from '../../shared/ui/common.module.css'

interface TrashListProps {
  trash: Response<typeof library.listTrash>
  onPage: (page: number) => void
  onDelete: (question: DeleteQuestion) => void
}

/** A page of the trash; what is selected on it is restored or deleted together. */
export function TrashList({ trash: { recordings, page, pages }, onPage, onDelete }: TrashListProps) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const restore = useRestore()
  const shownIds = recordings.map(({ id }) => id)
  // What was restored or deleted meanwhile is selected no more.
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
