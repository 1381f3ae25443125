import { Kbd, Modal } from '@mantine/core'
import { shortcuts } from './shortcuts.ts'
import classes from './shortcuts-dialog.module.css'

/** Lists the keyboard shortcuts of the desk. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard">
      <dl className={classes.shortcuts}>
        {[...shortcuts, { shown: 'Ctrl K', effect: 'Command palette' }].map(({ shown, effect }) => (
          <div key={shown}>
            <dt>
              <Kbd>{shown}</Kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
