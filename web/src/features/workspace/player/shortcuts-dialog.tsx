import { Kbd, Modal } from '@mantine/core'
import { playerShortcuts } from './use-player-shortcuts.ts'
import classes from './shortcuts-dialog.module.css'

/** Lists the keyboard shortcuts of the workspace. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard">
      <dl className={classes.shortcuts}>
        {playerShortcuts.map(({ keys, effect }) => (
          <div key={keys}>
            <dt>
              <Kbd>{keys}</Kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
