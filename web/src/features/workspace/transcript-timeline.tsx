import { Text, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatClock } from '../../shared/format.ts'
import { useAtomValue } from '../../shared/jotai.ts'
import { Words } from '../../shared/ui/words.tsx'
import { playerTimeAtom, type Player } from './player/use-player.ts'
import { SpeakerChip } from './speaker-chip.tsx'
import { describeSpeaker, segmentAt } from './speakers.ts'
import classes from './workspace.module.css'

interface TranscriptTimelineProps {
  transcription: TranscriptionResult
  player: Player
  searchField: RefObject<HTMLInputElement | null>
}

/** Beyond this many segments only those in view are drawn: an hour of speech has about a thousand. */
const drawAllLimit = 200
const guessedRowPx = 64

/** Segments with start and end; choosing one seeks to it. */
export function TranscriptTimeline({ transcription, player, searchField }: TranscriptTimelineProps) {
  const [search, setSearch] = useState('')
  const { segments } = transcription
  const shown = useMemo(() => {
    const wanted = search.trim().toLocaleLowerCase()
    return wanted ? segments.filter(({ text }) => text.toLocaleLowerCase().includes(wanted)) : segments
  }, [segments, search])
  const time = useAtomValue(playerTimeAtom)
  const current = segments[segmentAt(segments, time)]
  const row = (segment: Segment) => (
    <SegmentRow
      segment={segment}
      language={languageOf(transcription, segment)}
      isCurrent={segment === current}
      onSeek={player.seek}
    />
  )
  return (
    <>
      <TextInput
        ref={searchField}
        aria-label="Search the transcript"
        placeholder="Search the transcript"
        leftSection={<IconSearch size={16} stroke={1.5} />}
        mb="sm"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {shown.length === 0 && (
        <Text c="dimmed" py="md">
          {segments.length === 0 ? 'No speech was found in this recording.' : `Nothing holds “${search}”.`}
        </Text>
      )}
      {shown.length > drawAllLimit ? (
        <VirtualRows segments={shown} row={row} followed={player.isPlaying ? current : undefined} />
      ) : (
        <AllRows segments={shown} row={row} followed={player.isPlaying ? current : undefined} />
      )}
    </>
  )
}

function keyOf({ start, end, channel }: Segment): string {
  return `${channel ?? 0}-${start}-${end}`
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

interface RowsProps {
  segments: Segment[]
  row: (segment: Segment) => ReactNode
  /** The segment to keep in view: the spoken one while the recording plays. */
  followed: Segment | undefined
}

function AllRows({ segments, row, followed }: RowsProps) {
  const scroller = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const list = scroller.current
    const line = list?.querySelector('[aria-current]')
    if (!list || !line || !followed) return
    const top = line.getBoundingClientRect().top - list.getBoundingClientRect().top
    const isInView = top >= 0 && top + line.clientHeight <= list.clientHeight
    // The list alone scrolls, never the page under the reader.
    if (!isInView) list.scrollBy({ top: top - list.clientHeight / 3 })
  }, [followed])
  return (
    <ol ref={scroller} className={classes.timeline} aria-label="Transcript Timeline">
      {segments.map((segment) => (
        <li key={keyOf(segment)}>{row(segment)}</li>
      ))}
    </ol>
  )
}

function VirtualRows({ segments, row, followed }: RowsProps) {
  const scroller = useRef<HTMLOListElement>(null)
  // The virtualizer's functions are its own; nothing here memoises them.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedRowPx,
    overscan: 12,
  })
  const followedIndex = followed ? segments.indexOf(followed) : -1
  useEffect(() => {
    if (followedIndex >= 0) virtualizer.scrollToIndex(followedIndex, { align: 'auto' })
  }, [followedIndex, virtualizer])
  return (
    <ol ref={scroller} className={classes.timeline} aria-label="Transcript Timeline">
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} className={classes.spacer} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const segment = segments[index]
        return (
          segment && (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes.virtualRow}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row(segment)}
            </li>
          )
        )
      })}
    </ol>
  )
}
