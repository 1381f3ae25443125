import { spokenLanguage } from '#contract/spoken-language.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { Words } from '../../../shared/ui/words.tsx'
import { SpeakerChip } from '../speaker-chip.tsx'
import { describeSpeaker, segmentAt } from '../speakers.ts'
import classes from './player.module.css'
import { playerTimeAtom } from './use-player.ts'

/** The segment spoken now. */
export function NowPlaying({ transcription }: { transcription: TranscriptionResult | null }) {
  const time = useAtomValue(playerTimeAtom)
  const segment = transcription?.segments[segmentAt(transcription.segments, time)]
  return (
    <div className={classes.now}>
      <span className={classes.nowLabel}>
        Now Playing
        {segment?.channel !== undefined && (
          <SpeakerChip speaker={describeSpeaker(segment.channel, segment.speaker ?? '')} />
        )}
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
