import { Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { useDesk } from '../state/desk-context.ts'
import { lineAt } from '../state/line-at.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import classes from './now-playing.module.css'

/** The line at the playback position. */
export function NowPlaying() {
  const { lines, transcription } = useDesk()
  const time = useAtomValue(playerTimeAtom)
  const { describe } = useSpeakers()
  const line = lineAt(lines, time)
  const segment = line?.segment
  const speaker = segment && describe(segment.speaker, segment.channel)
  return (
    <div className={classes.now}>
      <span className={classes.label}>
        {t('Now Playing')}
        {speaker?.letter && <SpeakerChip speaker={speaker} isNamed={speaker.isNameGiven} />}
      </span>
      {segment ? (
        <DirectionalText language={line.language} className={classes.text}>
          {segment.text}
        </DirectionalText>
      ) : (
        <Text span inherit c="dimmed" fz="sm">
          {transcription || lines.length > 0 ? '…' : t('The words appear here after transcription')}
        </Text>
      )}
    </div>
  )
}
