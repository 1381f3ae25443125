import { Kbd, Modal } from '@mantine/core'
import { playerKeys } from './player/use-player-keys.ts'
import classes from './workspace.module.css'

/** The map of keys. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard">
      <dl className={classes.keys}>
        {playerKeys.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
