import { Button, Group, Modal, Text } from '@mantine/core'
import type { WatchList } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'

interface RemoveDialogProps {
  list: WatchList
  onRemove: () => void
  onClose: () => void
}

/** Asks before a watch list is deleted, and names what is lost. */
export function RemoveDialog({ list, onRemove, onClose }: RemoveDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('Delete the watch list?')}>
      <Text>
        {rich(
          '{name} is deleted with all of its alerts, reviewed and dismissed ones too. Recordings stay as they are. This cannot be undone; to pause it, switch it off.',
          { name: <Isolated>{list.name}</Isolated> },
        )}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button color="red" onClick={onRemove}>
          {t('Delete')}
        </Button>
      </Group>
    </Modal>
  )
}
