import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type ReactNode } from 'react'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { DiffText } from '../editing/diff-text.tsx'
import { diffWords, type DiffPart } from '../editing/word-diff.ts'
import { usePlayer } from '../player/player-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { textOf, type AlignedLines } from './align-versions.ts'
import { TakeLine } from './take-line.tsx'
import classes from './compare-list.module.css'

interface CompareListProps {
  rows: AlignedLines[]
  /** The other version, then the current one. */
  texts: [TranscriptionResult, TranscriptionResult]
  numbers: [number, number]
}

const estimatedRowPx = 56

/** Lines of two versions side by side; only those in view are rendered. */
export function CompareList({ rows, texts: [a, b], numbers }: CompareListProps) {
  const list = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => estimatedRowPx,
    overscan: 8,
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which the keyboard must be able to do
    <ol ref={list} className={classes.list} aria-label={t('Lines of both versions')} tabIndex={0}>
      <li aria-hidden className={classes.spacer} style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        if (!row) return null
        const diff = diffWords(textOf(row.a), textOf(row.b))
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.row}
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
          >
            <Side lines={row.a} parts={diff.a} transcription={a} number={numbers[0]} />
            <Side lines={row.b} parts={diff.b} transcription={b} number={numbers[1]}>
              <TakeLine row={row} number={numbers[0]} />
            </Side>
          </li>
        )
      })}
    </ol>
  )
}

interface SideProps {
  lines: Segment[]
  parts: DiffPart[]
  transcription: TranscriptionResult
  /** The number of the version. */
  number: number
  children?: ReactNode
}

function Side({ lines, parts, transcription, number, children }: SideProps) {
  const { describe } = useSpeakers()
  const player = usePlayer()
  const name = t('version {number, number}', { number })
  const [first] = lines
  if (!first) {
    return (
      <div className={classes.side} data-version={name} data-missing>
        <span className={classes.missing}>{t('Nothing in version {number, number}', { number })}</span>
      </div>
    )
  }

  function play(line: Segment) {
    player.seek(line.start)
    if (!player.isPlaying) player.toggle()
  }

  return (
    <div className={classes.side} data-version={name}>
      <button
        type="button"
        className={classes.play}
        aria-label={t('Play the line at {start} of version {number, number}', {
          start: formatClock(first.start),
          number,
        })}
        onClick={() => play(first)}
      >
        {/* The text comes first, so that its baseline is that of the button. */}
        {formatClock(first.start)}
        <IconPlayerPlay size={14} stroke={1.5} aria-hidden />
      </button>
      <SpeakerChip speaker={describe(first.speaker, first.channel)} />
      <DiffText parts={parts} language={spokenLanguage(transcription, first)} />
      {children}
    </div>
  )
}
