import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { ScrollingList } from './scrolling-list.tsx'
import classes from './timeline-list.module.css'
import { useLinkedScroll } from './use-linked-scroll.ts'

export interface TimelineLine {
  start: number
  end: number
}

export interface TimelineListProps<Line extends TimelineLine> {
  /** The list's accessible name. */
  label: string
  lines: Line[]
  renderRow: (line: Line) => ReactNode
  /** The line to keep in view: the spoken one while the recording plays. */
  followed: Line | undefined
}

/** Above this many lines only those in view are rendered: an hour of speech has about a thousand. */
const maxRenderedLines = 200
const estimatedRowPx = 64

/** Lines of a recording in order of time, in a list that scrolls. */
export function TimelineList<Line extends TimelineLine>(props: TimelineListProps<Line>) {
  return props.lines.length > maxRenderedLines ? <VirtualList {...props} /> : <FullList {...props} />
}

function FullList<Line extends TimelineLine>({ label, lines, renderRow, followed }: TimelineListProps<Line>) {
  const scroller = useRef<HTMLOListElement>(null)
  const rows = () => [...(scroller.current?.children ?? [])].filter((child) => child instanceof HTMLElement)
  useLinkedScroll({
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
    <ScrollingList ref={scroller} label={label}>
      {lines.map((line, index) => (
        // Two speakers may begin and end together.
        <li key={`${line.start}-${line.end}-${index}`}>{renderRow(line)}</li>
      ))}
    </ScrollingList>
  )
}

function VirtualList<Line extends TimelineLine>({ label, lines, renderRow, followed }: TimelineListProps<Line>) {
  const scroller = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedRowPx,
    overscan: 12,
  })
  useLinkedScroll({
    scroller,
    lines,
    geometry: {
      indexAt: (offset) => virtualizer.getVirtualItemForOffset(offset)?.index ?? 0,
      top: (index) => virtualizer.measurementsCache[index]?.start ?? 0,
      height: (index) => virtualizer.measurementsCache[index]?.size ?? estimatedRowPx,
    },
  })
  const followedIndex = followed ? lines.indexOf(followed) : -1
  useEffect(() => {
    if (followedIndex >= 0) virtualizer.scrollToIndex(followedIndex, { align: 'auto' })
  }, [followedIndex, virtualizer])
  return (
    <ScrollingList ref={scroller} label={label}>
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
              {renderRow(line)}
            </li>
          )
        )
      })}
    </ScrollingList>
  )
}
