import { spokenLanguage } from '#contract/spoken-language.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import classes from './now-playing.module.css'
import { playerTimeAtom } from '../player/use-audio-player.ts'

/** The segment at the playback position. */
export function NowPlaying({ transcription }: { transcription: TranscriptionResult | null }) {
  const time = useAtomValue(playerTimeAtom)
  const { describe } = useSpeakers()
  const segment = transcription?.segments[segmentAt(transcription.segments, time)]
  const speaker = segment && describe(segment.speaker, segment.channel)
  return (
    <div className={classes.now}>
      <span className={classes.label}>
        Now Playing
        {speaker?.letter && <SpeakerChip speaker={speaker} isNamed={speaker.isNameGiven} />}
      </span>
      {transcription && segment ? (
        <DirectionalText language={spokenLanguage(transcription, segment)} className={classes.text}>
          {segment.text}
        </DirectionalText>
      ) : (
        <span className={classes.empty}>{transcription ? '…' : 'The words appear here after transcription'}</span>
      )}
    </div>
  )
}
