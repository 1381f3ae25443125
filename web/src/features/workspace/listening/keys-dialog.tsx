import { Button, Kbd, Modal, Text } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { chordOf, refuseChord, showChord } from './chords.ts'
import { chordsOf, listeningActions, type ListeningAction } from './listening-actions.ts'
import classes from './keys-dialog.module.css'
import { useListeningSettings } from './listening-settings.ts'
import { PedalSettings } from './pedals/pedal-settings.tsx'

interface KeysDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Changes the keys and pedals for listening. To assign a foot pedal that sends keys, press it instead of a key. */
export function KeysDialog({ isOpen, onClose }: KeysDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Keys and pedals')} size="md">
      <Keys />
      <PedalSettings />
    </Modal>
  )
}

function Keys() {
  const { listening, change } = useListeningSettings()
  const [changed, setChanged] = useState<ListeningAction | null>(null)
  const [error, setError] = useState<string>()
  const chords = chordsOf(listening.keys)

  function choose(event: KeyboardEvent, action: ListeningAction) {
    if (changed !== action || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return end()
    const chord = chordOf(event.nativeEvent)
    if (chord === undefined) return
    const other = listeningActions.find((each) => each.action !== action && chords[each.action] === chord)
    const refusal = other
      ? t('{chord} is in use: {effect}.', { chord: showChord(chord), effect: other.effect })
      : refuseChord(chord)
    if (refusal) return setError(refusal)
    change({ keys: { ...listening.keys, [action]: chord } })
    end()
  }

  function end() {
    setChanged(null)
    setError(undefined)
  }

  return (
    <>
      <Text size="sm" c="dimmed">
        {t(
          'They work everywhere on the desk, also while a line is typed, and are kept in this browser. A foot pedal that sends keys can be pressed in place of one.',
        )}
      </Text>
      <dl className={classes.keys}>
        {listeningActions.map(({ action, effect }) => (
          <div key={action}>
            <dt>{effect}</dt>
            <dd>
              <Button
                variant={changed === action ? 'light' : 'default'}
                size="xs"
                aria-label={t('Key for “{effect}”: {chord}. Change', { effect, chord: showChord(chords[action]) })}
                onClick={() => {
                  setError(undefined)
                  setChanged(action)
                }}
                onKeyDown={(event) => choose(event, action)}
                onBlur={end}
              >
                {changed === action ? t('Press a key…') : <Kbd>{showChord(chords[action])}</Kbd>}
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <Text role="alert" mih={24} my="xs" mx={0} c="var(--mantine-color-error)" fz="sm">
        {error}
      </Text>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        disabled={Object.keys(listening.keys).length === 0}
        onClick={() => change({ keys: {} })}
      >
        {t('Default keys')}
      </Button>
    </>
  )
}
