import { Kbd, Modal } from '@mantine/core'
import { playerShortcuts } from './use-player-shortcuts.ts'
import classes from '../workspace.module.css'

/** The map of keys. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard">
      <dl className={classes.keys}>
        {playerShortcuts.map(({ keys, does }) => (
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
