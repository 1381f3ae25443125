import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useAtomValue } from '../../../shared/jotai.ts'
import { toastUndo } from '../../../shared/undo-toast.tsx'
import { useDesk } from '../desk/desk-context.ts'
import { HitRow } from './hit-row.tsx'
import classes from './hit-list.module.css'
import type { LineHit } from './line-hits.ts'
import { activeHitKeyAtom, useHitNavigation } from './use-hit-navigation.ts'
import { useReviewedHits } from './use-reviewed-hits.ts'

const estimatedRowPx = 84

/** Hits by time. One row takes part in the order of Tab; arrows, Home and End move among the rows, R marks one as reviewed. */
export function HitList({ hits }: { hits: LineHit[] }) {
  const { recording, lines, reviewedHits } = useDesk()
  const { mark } = useReviewedHits(recording.id)
  const { goToHit } = useHitNavigation()
  const activeKey = useAtomValue(activeHitKeyAtom)
  const activeIndex = Math.max(
    0,
    hits.findIndex(({ key }) => key === activeKey),
  )
  const scroller = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: hits.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => hits[index]?.key ?? index,
    estimateSize: () => estimatedRowPx,
    overscan: 4,
    // The row in the order of Tab is always rendered.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), activeIndex])].toSorted((a, b) => a - b),
  })
  useEffect(() => {
    if (activeKey !== null) virtualizer.scrollToIndex(activeIndex, { align: 'auto' })
  }, [activeKey, activeIndex, virtualizer])

  function toggleReviewed({ key, keyword }: LineHit) {
    const isReviewed = !reviewedHits.has(key)
    mark([key], isReviewed)
    if (isReviewed) toastUndo(`${keyword} marked as reviewed`, () => mark([key], false))
  }

  function moveTo(index: number) {
    const hit = hits[Math.min(Math.max(0, index), hits.length - 1)]
    if (!hit) return
    goToHit(hit)
    // Rendered with the next frame, once it is the active one.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>('[data-active] button')?.focus())
  }

  function onKeyDown(event: KeyboardEvent) {
    const hit = hits[activeIndex]
    const byKey: Record<string, () => void> = {
      ArrowDown: () => moveTo(activeIndex + 1),
      ArrowUp: () => moveTo(activeIndex - 1),
      Home: () => moveTo(0),
      End: () => moveTo(hits.length - 1),
      r: () => hit && toggleReviewed(hit),
    }
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : byKey[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  const lineById = new Map(lines.map((line) => [line.id, line]))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its buttons, handled in one place
    <ol ref={scroller} className={classes.list} aria-label="Hits" onKeyDown={onKeyDown}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} className={classes.spacer} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const hit = hits[index]
        const line = hit && lineById.get(hit.lineId)
        return (
          hit &&
          line && (
            <li
              key={key}
              data-index={index}
              data-active={index === activeIndex || undefined}
              ref={virtualizer.measureElement}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <HitRow
                hit={hit}
                line={line}
                isActive={hit.key === activeKey}
                isTabStop={index === activeIndex}
                isReviewed={reviewedHits.has(hit.key)}
                onGo={() => goToHit(hit)}
                onPlay={() => goToHit(hit, { play: true })}
                onReview={() => toggleReviewed(hit)}
              />
            </li>
          )
        )
      })}
    </ol>
  )
}
