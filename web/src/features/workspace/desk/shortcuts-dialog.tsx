import { Kbd, Modal, Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { mapKeys } from '../call-map/map-keys.ts'
import { editorKeys, historyKeys } from '../editing/editor-keys.ts'
import { showChord } from '../listening/chords.ts'
import { chordsOf, listeningActions } from '../listening/listening-actions.ts'
import { useListeningSettings } from '../listening/listening-settings.ts'
import { shortcuts } from './shortcuts.ts'
import classes from './shortcuts-dialog.module.css'

/** Lists the keyboard shortcuts of the desk. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { listening } = useListeningSettings()
  const chords = chordsOf(listening.keys)
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Keyboard')}>
      <KeyList keys={[...shortcuts, ...historyKeys, { shown: 'Ctrl K', effect: t('Command palette') }]} />
      <Title order={3} mt="lg" mb="xs">
        {t('Everywhere, also while typing')}
      </Title>
      <KeyList keys={listeningActions.map(({ action, effect }) => ({ shown: showChord(chords[action]), effect }))} />
      <Title order={3} mt="lg" mb="xs">
        {t('While a line is edited')}
      </Title>
      <KeyList keys={editorKeys} />
      <Title order={3} mt="lg" mb="xs">
        {t('While the call map has the focus')}
      </Title>
      <KeyList keys={mapKeys} />
    </Modal>
  )
}

function KeyList({ keys }: { keys: readonly { shown: string; effect: string }[] }) {
  return (
    <dl className={classes.shortcuts}>
      {keys.map(({ shown, effect }) => (
        <div key={shown}>
          <dt>
            <Kbd>{shown}</Kbd>
          </dt>
          <dd>{effect}</dd>
        </div>
      ))}
    </dl>
  )
}
