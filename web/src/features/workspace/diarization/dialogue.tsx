import { Text } from '@mantine/core'
import IconPlayerPauseFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPauseFilled.mjs'
import IconPlayerPlayFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPlayFilled.mjs'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { PersonName } from '../speakers/person-name.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { LineText } from '../timeline/line-text.tsx'
import { ScrollingList } from '../timeline/scrolling-list.tsx'
import { TimelineRow } from '../timeline/timeline-row.tsx'
import classes from './dialogue.module.css'

interface DialogueProps {
  result: DiarizationResult
  language: string
}

/** Speaker dots cycle over this many colours (audio-workflow specification, section 9). */
const dotCount = 6

/** A mini-player and the dialogue in order of time. */
export function Dialogue({ result, language }: DialogueProps) {
  const { seek } = usePlayer()
  const { describe } = useSpeakers()
  return (
    <>
      <MiniPlayer speakerCount={result.num_speakers} />
      {result.dialogue_timeline.length === 0 && <Text c="dimmed">No speech was found in this recording.</Text>}
      <ScrollingList label="Dialogue">
        {result.dialogue_timeline.map(({ speaker, timestamp, text }) => {
          const { name, hue } = describe(speaker)
          return (
            <li key={`${speaker}-${timestamp}`}>
              <TimelineRow
                time={formatClock(timestamp)}
                speaker={
                  <span className={classes.speaker}>
                    <span className={classes.dot} data-voice={hue % dotCount} aria-hidden />
                    <PersonName>{name}</PersonName>
                  </span>
                }
                onSelect={() => seek(timestamp)}
              >
                <LineText language={language}>{text}</LineText>
              </TimelineRow>
            </li>
          )
        })}
      </ScrollingList>
    </>
  )
}

function MiniPlayer({ speakerCount }: { speakerCount: number }) {
  const player = usePlayer()
  const time = useAtomValue(playerTimeAtom)
  return (
    <div className={classes.controls}>
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
