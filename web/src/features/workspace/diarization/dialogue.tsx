import { Text } from '@mantine/core'
import IconPlayerPauseFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPauseFilled.mjs'
import IconPlayerPlayFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPlayFilled.mjs'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { playerTimeAtom, type Player } from '../player/use-player.ts'
import { PersonName } from '../speakers/person-name.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import classes from '../workspace.module.css'

interface DialogueProps {
  result: DiarizationResult
  player: Player
  language: string
}

/** Speaker dots cycle over this many colours (audio-workflow specification, section 9). */
const dotCount = 6

/** A mini-player and the dialogue in order of time. */
export function Dialogue({ result, player, language }: DialogueProps) {
  const { describe } = useSpeakerDesk()
  return (
    <>
      <MiniPlayer player={player} speakerCount={result.num_speakers} />
      {result.dialogue_timeline.length === 0 && <Text c="dimmed">No speech was found in this recording.</Text>}
      <ol className={classes.timeline} aria-label="Dialogue">
        {result.dialogue_timeline.map(({ speaker, timestamp, text }) => {
          const { name, hue } = describe(speaker)
          return (
            <li key={`${speaker}-${timestamp}`}>
              <button type="button" className={classes.segment} onClick={() => player.seek(timestamp)}>
                <span className={classes.times}>{formatClock(timestamp)}</span>
                <span className={classes.dialogueSpeaker}>
                  <span className={classes.dot} data-voice={hue % dotCount} aria-hidden />
                  <PersonName>{name}</PersonName>
                </span>
                <DirectionalText as="span" language={language} className={classes.segmentText}>
                  {text}
                </DirectionalText>
              </button>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function MiniPlayer({ player, speakerCount }: { player: Player; speakerCount: number }) {
  const time = useAtomValue(playerTimeAtom)
  return (
    <div className={classes.mini}>
      <IconButton label={player.isPlaying ? 'Pause the dialogue' : 'Play the dialogue'} onClick={player.toggle}>
        {player.isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </IconButton>
      <Text size="sm">
        {formatClock(time)} / {formatClock(player.durationSeconds)}
      </Text>
      <Text size="sm" c="dimmed">
        {speakerCount} {speakerCount === 1 ? 'speaker' : 'speakers'}
      </Text>
    </div>
  )
}
