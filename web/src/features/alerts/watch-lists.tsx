import { Button, Group, Modal, Text } from '@mantine/core'
import IconBellPlus from '@tabler/icons-react/dist/esm/icons/IconBellPlus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { maxWatchLists, type WatchList } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { rich } from '../../shared/texts/rich.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { useWatchListActions, useWatchLists } from './use-watch-lists.ts'
import { WatchListCard } from './watch-list-card.tsx'
import { WatchListDialog } from './watch-list-dialog.tsx'
import classes from './watch-lists.module.css'

interface RemoveDialogProps {
  list: WatchList
  onRemove: () => void
  onClose: () => void
}

/** Asks before a watch list is deleted, and names what is lost. */
function RemoveDialog({ list, onRemove, onClose }: RemoveDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('Delete the watch list?')}>
      <Text>
        {rich(
          '{name} is deleted with all of its alerts, reviewed and dismissed ones too. Recordings stay as they are. This cannot be undone; to pause it, switch it off.',
          { name: <Isolated>{list.name}</Isolated> },
        )}
      </Text>
      <DialogActions onCancel={onClose} gap="md" mt="lg">
        <Button color="red" onClick={onRemove}>
          {t('Delete')}
        </Button>
      </DialogActions>
    </Modal>
  )
}

/** The watch lists, each with its switch, its library scan, and the means to change it. */
export function WatchLists() {
  const { data: lists, isError, isPending, refetch } = useWatchLists()
  const actions = useWatchListActions()
  const [edited, setEdited] = useState<WatchList | 'new'>()
  const [removed, setRemoved] = useState<WatchList>()
  if (isPending) return <LoadingNotice label={t('Loading your watch lists')} />
  if (isError)
    return <ErrorNotice message={t('Your watch lists could not be loaded.')} onRetry={() => void refetch()} />
  const add = (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} />}
      disabled={lists.length >= maxWatchLists}
      onClick={() => setEdited('new')}
    >
      {t('Add a watch list')}
    </Button>
  )
  return (
    <>
      {lists.length === 0 ? (
        <Notice title={t('No watch lists yet')} icon={<IconBellPlus size={22} stroke={1.5} />} action={add}>
          {t(
            'Name keyword categories or words that you wait for. Each place where they are said becomes an alert, once, when a transcription or translation finishes.',
          )}
        </Notice>
      ) : (
        <>
          <Group gap="0.75rem 1.5rem" justify="space-between" mb="md">
            <Text c="dimmed">
              {t('Changes apply to what finishes from now on. For earlier recordings, scan your library.')}
            </Text>
            {add}
          </Group>
          <ul className={classes.lists}>
            {lists.map((list) => (
              <li key={list.id}>
                <WatchListCard
                  list={list}
                  actions={actions}
                  onEdit={() => setEdited(list)}
                  onRemove={() => setRemoved(list)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {edited && <WatchListDialog list={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && (
        <RemoveDialog
          list={removed}
          onRemove={() => {
            actions.remove(removed)
            setRemoved(undefined)
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}
