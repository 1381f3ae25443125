import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment } from '#contract/transcription.ts'
import { formatClock } from '../../../shared/format.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { LanguageMark } from '../timeline/language-mark.tsx'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { LineTime } from '../timeline/line-time.tsx'
import classes from './partial-lines.module.css'

interface PartialLinesProps {
  lines: Segment[]
  /** The line found last; it may be placed between others. */
  latest: Segment | null
  languageOf: (line: Segment) => string | null
}

/** Without names: the Speaker A of an earlier transcription may be Speaker B of this one. */
const describe = createDescriber(null, noSpeakerCorrections)
/** A box scrolled this near to its end follows new lines. */
const followPx = 24
/** How often screen readers are told the number of lines. */
const announceIntervalMs = 20_000

/** The lines found so far in order of time, the newest in view until the reader scrolls away from it. */
export function PartialLines({ lines, latest, languageOf }: PartialLinesProps) {
  const newest = latest ? lines.findLastIndex((line) => isSame(line, latest)) : -1
  const { ref, onScroll } = useFollowLine(newest < 0 ? lines.length - 1 : newest)
  return (
    <>
      <div
        ref={ref}
        className={classes.box}
        role="region"
        aria-label="Lines so far"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        <ol className={classes.lines}>
          {lines.map((line, index) => (
            // Two speakers may begin and end together.
            <li key={`${line.channel} ${line.start} ${index}`} className={classes.line}>
              <Line line={line} language={languageOf(line)} />
            </li>
          ))}
        </ol>
      </div>
      <Announcement lineCount={lines.length} />
    </>
  )
}

function isSame(line: Segment, { start, channel, text }: Segment): boolean {
  return line.start === start && line.channel === channel && line.text === text
}

function Line({ line, language }: { line: Segment; language: string | null }) {
  return (
    <>
      <LineTime>{formatClock(line.start)}</LineTime>
      <SpeakerChip speaker={describe(line.speaker, line.channel)} />
      <DirectionalText as="span" language={language} plainText={line.text} className={classes.text}>
        {line.text}
        {line.language && ' '}
        {line.language && <LanguageMark language={line.language} />}
      </DirectionalText>
    </>
  )
}

/** Scrolls a box, never the page, to its row `index` as rows arrive, unless the reader scrolled elsewhere. */
function useFollowLine(index: number) {
  const ref = useRef<HTMLDivElement>(null)
  const ownTop = useRef(0)
  const isFollowing = useRef(true)
  useEffect(() => {
    const box = ref.current
    const row = box?.querySelectorAll('li')[index]
    if (!box || !row || !isFollowing.current) return
    const bottom = row.offsetTop + row.offsetHeight
    if (row.offsetTop < box.scrollTop) box.scrollTop = row.offsetTop - followPx
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom + followPx - box.clientHeight
    ownTop.current = box.scrollTop
  })

  function onScroll() {
    const box = ref.current
    if (!box || box.scrollTop === ownTop.current) return
    isFollowing.current = box.scrollHeight - box.clientHeight - box.scrollTop <= followPx
  }
  return { ref, onScroll }
}

/** The number of lines: reading every line aloud as it arrives would drown everything else. */
function Announcement({ lineCount }: { lineCount: number }) {
  const latest = useRef(lineCount)
  const [announced, setAnnounced] = useState(0)
  useEffect(() => {
    latest.current = lineCount
  }, [lineCount])
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), announceIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return <VisuallyHidden role="status">{announced > 0 && `${announced} lines so far`}</VisuallyHidden>
}
