import { Button, Group, SegmentedControl } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { showChord } from './chords.ts'
import { chordsOf } from './listening-actions.ts'
import classes from './listening.module.css'
import { useListeningSettings } from './listening-settings.ts'
import { pointAAtom, type useListeningActions } from './use-listening-actions.ts'

const pauses = [0, 0.5, 1, 2, 3]

/** Repeats a line, what is selected, or what is between two points. */
export function RepeatControls({ actions }: { actions: ReturnType<typeof useListeningActions> }) {
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
          // The button must not take away what is selected.
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
