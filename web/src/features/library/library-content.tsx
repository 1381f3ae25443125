import { Box, Button, Modal, Text } from '@mantine/core'
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs'
import { lazy, Suspense } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, Notice } from '../../shared/ui/notice.tsx'
import { noFilter } from './library-address.ts'
import { RowActionsContext } from './library-context.ts'
import { LibraryList } from './library-list.tsx'
import classes from './library-page.module.css'
import { RowMenu } from './row-menu.tsx'
import { describeSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import type { Library } from './use-library.ts'
import common from '../../shared/ui/common.module.css'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'

interface RemoveDialogProps {
  /** Null while the dialog is closed. */
  asked: { count: number } | null
  onClose: () => void
  onConfirm: () => void
}

const HoldDialog = lazy(async () => ({ default: (await import('../holds/hold-dialog.tsx')).HoldDialog }))
const ActivityDialog = lazy(async () => ({
  default: (await import('../activity/activity-dialog.tsx')).ActivityDialog,
}))

const skeletonRows = 12

/** The list in its various states, and the actions on the selection. */
export function LibraryContent({ library }: { library: Library }) {
  const { view, rows, selection, selected, selectedCount } = library
  const isLoading = rows.isPending || (rows.isStale && rows.total === 0)
  if (isLoading && !rows.isError) return <SkeletonRows />
  if (rows.isError) {
    return (
      <Box m="auto" p="md">
        <ErrorNotice message={t('Your recordings could not be loaded.')} onRetry={() => void rows.retry()} />
      </Box>
    )
  }
  if (rows.total === 0) {
    return (
      <Box m="auto" p="md">
        <Notice
          title={t('No recording matches')}
          icon={<IconFilterOff size={22} stroke={1.5} />}
          action={
            <Button variant="default" onClick={() => view.setFilter(noFilter)}>
              {t('Show all recordings')}
            </Button>
          }
        >
          {t('Change or remove a filter to see more.')}
        </Notice>
      </Box>
    )
  }
  return (
    <>
      <RowActionsContext value={library.rowActions}>
        <LibraryList
          view={view}
          rows={rows}
          selection={selection}
          active={library.active}
          renamedId={library.renamedId}
          onSpan={library.setSpan}
          onRemove={library.removeAt}
          onRename={library.renameAt}
        />
        <RowMenu menu={library.menu} />
      </RowActionsContext>
      {selectedCount > 0 && (
        <SelectionBar
          selection={selected}
          count={selectedCount}
          label={describeSelection(selection.selection, rows.total)}
          onTags={() => library.editTags({ selection: selected, count: selectedCount })}
          onRemove={() => library.remove(selected, selectedCount)}
          onClear={selection.clear}
        />
      )}
      <TagsDialog target={library.tagged} onClose={library.closeTags} onDone={library.closeTags} />
      {library.heldRecording && (
        <Suspense>
          <HoldDialog subject={{ ...library.heldRecording, of: 'recording' }} onClose={library.closeHold} />
        </Suspense>
      )}
      {library.shownActivity && (
        <Suspense>
          <ActivityDialog recording={library.shownActivity} onClose={library.closeActivity} />
        </Suspense>
      )}
      <RemoveDialog asked={library.askedToRemove} onClose={library.cancelRemove} onConfirm={library.confirmRemove} />
    </>
  )
}

function SkeletonRows() {
  return (
    <Box flex={1} mih={0} className={common.clip} role="status" aria-label={t('Loading recordings')}>
      {Array.from({ length: skeletonRows }, (_, row) => (
        <div key={row} className={classes.skeletonRow}>
          <span />
          <span />
          <span />
          <span />
        </div>
      ))}
    </Box>
  )
}

/** Asks before many recordings are deleted at once. */
function RemoveDialog({ asked, onClose, onConfirm }: RemoveDialogProps) {
  const count = asked?.count ?? 0
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={t('Delete {count, plural, one {# recording} other {# recordings}}', { count })}
    >
      <Text>{t('They move to the trash with their audio, transcripts and translations.')}</Text>
      <DialogActions onCancel={onClose} mt="lg">
        <Button color="red" onClick={onConfirm}>
          {t('Delete')}
        </Button>
      </DialogActions>
    </Modal>
  )
}
