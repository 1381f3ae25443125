import { spokenLanguage } from '#contract/spoken-language.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { Words } from '../../../shared/ui/words.tsx'
import { segmentAt } from '../segment-at.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import classes from './player.module.css'
import { playerTimeAtom } from './use-player.ts'

/** The segment spoken now. */
export function NowPlaying({ transcription }: { transcription: TranscriptionResult | null }) {
  const time = useAtomValue(playerTimeAtom)
  const { describe } = useSpeakerDesk()
  const segment = transcription?.segments[segmentAt(transcription.segments, time)]
  const speaker = segment && describe(segment.speaker, segment.channel)
  return (
    <div className={classes.now}>
      <span className={classes.nowLabel}>
        Now Playing
        {speaker?.letter && <SpeakerChip speaker={speaker} isNamed={speaker.isNameGiven} />}
      </span>
      {transcription && segment ? (
        <Words language={spokenLanguage(transcription, segment)} className={classes.nowText}>
          {segment.text}
        </Words>
      ) : (
        <span className={classes.nowEmpty}>{transcription ? '…' : 'The words appear here after transcription'}</span>
      )}
    </div>
  )
}
