import type { RefObject } from 'react'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatClock } from '../../shared/format.ts'
import { useAtomValue } from '../../shared/jotai.ts'
import { Words } from '../../shared/ui/words.tsx'
import { playerTimeAtom, type Player } from './player/use-player.ts'
import type { ScrollLink } from './scroll-link.ts'
import { SearchedTimeline } from './searched-timeline.tsx'
import { SpeakerChip } from './speaker-chip.tsx'
import { describeSpeaker, segmentAt } from './speakers.ts'
import classes from './workspace.module.css'

interface TranscriptTimelineProps {
  transcription: TranscriptionResult
  player: Player
  searchField: RefObject<HTMLInputElement | null>
  link: ScrollLink
}

/** Segments with start and end; choosing one seeks to it. */
export function TranscriptTimeline({ transcription, player, searchField, link }: TranscriptTimelineProps) {
  const { segments } = transcription
  const current = segments[segmentAt(segments, useAtomValue(playerTimeAtom))]
  const row = (segment: Segment) => (
    <SegmentRow
      segment={segment}
      language={languageOf(transcription, segment)}
      isCurrent={segment === current}
      onSeek={player.seek}
    />
  )
  return (
    <SearchedTimeline
      label="Transcript Timeline"
      searchLabel="Search the transcript"
      searchField={searchField}
      emptyText="No speech was found in this recording."
      lines={segments}
      textOf={textOf}
      followed={player.isPlaying ? current : undefined}
      link={link}
      row={row}
    />
  )
}

function textOf({ text }: Segment): string {
  return text
}

/** Each channel may speak a language of its own. */
function languageOf(transcription: TranscriptionResult, { channel }: Segment): string | null {
  const speaker = transcription.speaker_transcriptions.find((entry) => entry.channel === channel)
  return speaker?.detected_language ?? transcription.detected_language
}

interface SegmentRowProps {
  segment: Segment
  language: string | null
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

function SegmentRow({ segment, language, isCurrent, onSeek }: SegmentRowProps) {
  return (
    <button
      type="button"
      className={classes.segment}
      aria-current={isCurrent || undefined}
      onClick={() => onSeek(segment.start)}
    >
      <span className={classes.times}>
        {formatClock(segment.start)} – {formatClock(segment.end)}
      </span>
      <SpeakerChip speaker={describeSpeaker(segment.channel, segment.speaker ?? '')} />
      <Words as="span" language={language} className={classes.segmentText}>
        {segment.text}
      </Words>
    </button>
  )
}
