import { Button, Group, Popover, Slider, Switch, Text, SegmentedControl } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconHeadphones from '@tabler/icons-react/dist/esm/icons/IconHeadphones.mjs'
import { t } from '#contract/texts/t.ts'
import { useSetAtom, useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { ChannelControls } from './channel-controls.tsx'
import { channelSilenceAtom, everythingHeard } from './channel-silence.ts'
import { ClipControls } from './clip/clip-controls.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import classes from './listening.module.css'
import { defaultListening, useListeningSettings } from './listening-settings.ts'
import { type useListeningActions, pointAAtom } from './use-listening-actions.ts'
import common from '../../../shared/ui/common.module.css'
import { formatClock } from '../../../shared/format.ts'
import { usePlayer } from '../player/player-context.ts'
import { showChord } from './chords.ts'
import { chordsOf } from './listening-actions.ts'

const filters = [
  { name: 'isEvened', label: t('Even out voices'), description: t('Raises quiet voices, lowers loud ones') },
  { name: 'isTelephone', label: t('Telephone band'), description: t('Only 300 to 3,400 Hz') },
  { name: 'isDenoised', label: t('Less noise'), description: t('Lowers rumble, and what is quieter than speech') },
] as const

const pauses = [0, 0.5, 1, 2, 3]

/** Amplifies the recording beyond its original level, and filters the sound. */
function SoundControls({ isDisabled }: { isDisabled: boolean }) {
  const { listening, change } = useListeningSettings()
  return (
    <section className={classes.section} aria-label={t('Sound')}>
      <span className={classes.slider}>
        <span aria-hidden>{t('Louder')}</span>
        <Slider
          size="xs"
          min={0}
          max={24}
          step={3}
          label={describeBoost}
          thumbLabel={t('Louder, in decibels')}
          value={listening.boostDb}
          disabled={isDisabled}
          onChange={(boostDb) => change({ boostDb })}
        />
        <Text dir="auto" span inherit miw={52} ta="end" className={common.figures}>
          {listening.boostDb === 0 ? t('Off') : describeBoost(listening.boostDb)}
        </Text>
      </span>
      {filters.map(({ name, label, description }) => (
        <Switch
          key={name}
          size="xs"
          label={label}
          description={description}
          checked={listening[name]}
          disabled={isDisabled}
          onChange={(event) => change({ [name]: event.currentTarget.checked })}
        />
      ))}
    </section>
  )
}

function describeBoost(decibels: number): string {
  return t('+{decibels, number} dB', { decibels })
}

interface ListeningMenuProps {
  actions: ReturnType<typeof useListeningActions>
  isStereo: boolean
  /** Whether the browser can change the sound. */
  isAvailable: boolean
  /** Whether what is heard differs from the file. */
  isChanged: boolean
}

/** Sets how the recording sounds, in a popover by the player. */
export function ListeningMenu({ actions, isStereo, isAvailable, isChanged }: ListeningMenuProps) {
  const { listening, change } = useListeningSettings()
  const setSilence = useSetAtom(channelSilenceAtom)
  const [isShown, menu] = useDisclosure(false)
  const [areKeysShown, keys] = useDisclosure(false)

  function reset() {
    const { keys: chosenKeys, repeatPauseSeconds, clipFormat } = listening
    change({ ...defaultListening, keys: chosenKeys, repeatPauseSeconds, clipFormat })
    setSilence(everythingHeard)
  }

  function showKeys() {
    menu.close()
    keys.open()
  }

  return (
    <>
      <Popover
        opened={isShown}
        onChange={(isOpen) => (isOpen ? menu.open() : menu.close())}
        position="bottom-end"
        width={340}
        // Scrolls if the window has no room below the player.
        middlewares={{ flip: true, shift: { padding: 8 }, size: { padding: 8 } }}
        shadow="md"
        trapFocus={false}
        keepMounted={false}
      >
        <Popover.Target>
          <IconButton
            label={isChanged ? t('Listening: the sound is changed') : t('Listening')}
            size="lg"
            aria-expanded={isShown}
            onClick={menu.toggle}
            variant={isChanged ? 'light' : 'subtle'}
            color={isChanged ? 'accent' : 'gray'}
          >
            <IconHeadphones size={20} stroke={1.5} />
          </IconButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu} data-listening aria-label={t('Listening')}>
          {!isAvailable && (
            <Text size="sm" c="dimmed" className={classes.section}>
              {t('This browser plays the recording as it is: it cannot change the sound.')}
            </Text>
          )}
          {isStereo && <ChannelControls isDisabled={!isAvailable} />}
          <SoundControls isDisabled={!isAvailable} />
          <RepeatControls actions={actions} />
          <ClipControls rangeAtHand={actions.rangeAtHand} isStereo={isStereo} />
          <Group gap="xs" align="stretch" justify="space-between" wrap="nowrap" py="xs" px="xs">
            <Button size="compact-sm" variant="subtle" color="gray" disabled={!isChanged} onClick={reset}>
              {t('As recorded')}
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={showKeys}>
              {t('Keys and pedals…')}
            </Button>
          </Group>
        </Popover.Dropdown>
      </Popover>
      <KeysDialog isOpen={areKeysShown} onClose={keys.close} />
    </>
  )
}

/** Repeats a line, the selection, or the part between two points. */
function RepeatControls({ actions }: { actions: ReturnType<typeof useListeningActions> }) {
  const { listening, change } = useListeningSettings()
  const player = usePlayer()
  const pointA = useAtomValue(pointAAtom)
  const chords = chordsOf(listening.keys)
  const isLooped = player.range?.isLooped === true
  return (
    <section className={classes.section} aria-label={t('Repeat')}>
      <Group gap="xs" align="stretch">
        <Button
          size="xs"
          variant={isLooped ? 'filled' : 'default'}
          aria-pressed={isLooped}
          // The button must not clear the selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={actions.repeat}
          title={showChord(chords.repeat)}
        >
          {isLooped ? t('Stop repeating') : t('Repeat line')}
        </Button>
        <Button
          size="xs"
          variant={pointA === null ? 'default' : 'light'}
          disabled={isLooped}
          onClick={actions.points}
          title={showChord(chords.points)}
        >
          {pointA === null ? t('Set A') : t('Set B, from {pointA}', { pointA: formatClock(pointA) })}
        </Button>
      </Group>
      <Group gap="0.25rem 0.75rem" justify="space-between" c="dimmed" fz="xs">
        <span id="repeat-pause">{t('Pause between')}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="repeat-pause"
          data={pauses.map((seconds) => ({
            value: String(seconds),
            label: <span dir="auto">{t('{seconds, number} s', { seconds })}</span>,
          }))}
          value={String(listening.repeatPauseSeconds)}
          onChange={(value) => {
            const pauseSeconds = Number(value)
            change({ repeatPauseSeconds: pauseSeconds })
            if (player.range?.isLooped) player.setRange({ ...player.range, pauseSeconds })
          }}
        />
      </Group>
    </section>
  )
}
