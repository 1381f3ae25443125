import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLinkedScroll, type ScrollLink } from './scroll-link.ts'
import classes from '../workspace.module.css'

export interface TimelineLine {
  start: number
  end: number
}

export interface TimelineListProps<Line extends TimelineLine> {
  /** The list's name for who cannot see it. */
  label: string
  lines: Line[]
  row: (line: Line) => ReactNode
  /** The line to keep in view: the spoken one while the recording plays. */
  followed: Line | undefined
  /** Scrolls this list with others of the same recording. */
  link?: ScrollLink
}

/** Beyond this many lines only those in view are drawn: an hour of speech has about a thousand. */
const drawAllLimit = 200
const guessedRowPx = 64

/** Lines of a recording in order of time, in a list that scrolls by itself. */
export function TimelineList<Line extends TimelineLine>(props: TimelineListProps<Line>) {
  return props.lines.length > drawAllLimit ? <VirtualList {...props} /> : <WholeList {...props} />
}

function WholeList<Line extends TimelineLine>({ label, lines, row, followed, link }: TimelineListProps<Line>) {
  const scroller = useRef<HTMLOListElement>(null)
  const rows = () => [...(scroller.current?.children ?? [])].filter((child) => child instanceof HTMLElement)
  useLinkedScroll({
    link,
    scroller,
    lines,
    geometry: {
      indexAt: (offset) => rows().findLastIndex((child) => child.offsetTop <= offset),
      top: (index) => rows()[index]?.offsetTop ?? 0,
      height: (index) => rows()[index]?.offsetHeight ?? 0,
    },
  })
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
    <ol ref={scroller} className={classes.timeline} aria-label={label}>
      {lines.map((line, index) => (
        // Two speakers may begin and end together.
        <li key={`${line.start}-${line.end}-${index}`}>{row(line)}</li>
      ))}
    </ol>
  )
}

function VirtualList<Line extends TimelineLine>({ label, lines, row, followed, link }: TimelineListProps<Line>) {
  const scroller = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedRowPx,
    overscan: 12,
  })
  useLinkedScroll({
    link,
    scroller,
    lines,
    geometry: {
      indexAt: (offset) => virtualizer.getVirtualItemForOffset(offset)?.index ?? 0,
      top: (index) => virtualizer.measurementsCache[index]?.start ?? 0,
      height: (index) => virtualizer.measurementsCache[index]?.size ?? guessedRowPx,
    },
  })
  const followedIndex = followed ? lines.indexOf(followed) : -1
  useEffect(() => {
    if (followedIndex >= 0) virtualizer.scrollToIndex(followedIndex, { align: 'auto' })
  }, [followedIndex, virtualizer])
  return (
    <ol ref={scroller} className={classes.timeline} aria-label={label}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} className={classes.spacer} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const line = lines[index]
        return (
          line && (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes.virtualRow}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row(line)}
            </li>
          )
        )
      })}
    </ol>
  )
}
