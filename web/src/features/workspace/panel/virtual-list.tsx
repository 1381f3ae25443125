import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import classes from './virtual-list.module.css'

interface VirtualListProps<Item> {
  /** The list's accessible name. */
  label: string
  items: Item[]
  keyOf: (item: Item) => string
  /** The item that the Tab key reaches and keys act on; always rendered. */
  activeIndex: number
  /** Whether the list scrolls to the active item when that changes. */
  isFollowing: boolean
  estimatedRowPx: number
  renderItem: (item: Item, index: number) => ReactNode
  onActivate: (index: number) => void
  /** Additional key handlers, by key name. */
  keys?: Record<string, () => void>
}

/**
 * A scrolling list that renders only the items in view. Arrows, Home and End move the focus to the first button of another item,
 * except from a field.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, activeIndex, isFollowing, estimatedRowPx, renderItem, onActivate, keys } = props
  const scroller = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    estimateSize: () => estimatedRowPx,
    overscan: 4,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), activeIndex])].toSorted((a, b) => a - b),
  })
  useEffect(() => {
    if (isFollowing) virtualizer.scrollToIndex(activeIndex, { align: 'auto' })
  }, [isFollowing, activeIndex, virtualizer])

  function moveTo(index: number) {
    const wanted = Math.min(Math.max(0, index), items.length - 1)
    onActivate(wanted)
    // The item is rendered in the next frame, once it is the active one.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted}"] button`)?.focus(),
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return
    const byKey: Record<string, () => void> = {
      ...keys,
      ArrowDown: () => moveTo(activeIndex + 1),
      ArrowUp: () => moveTo(activeIndex - 1),
      Home: () => moveTo(0),
      End: () => moveTo(items.length - 1),
    }
    const act = byKey[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its buttons, handled in one place
    <ol ref={scroller} className={classes.list} aria-label={label} onKeyDown={onKeyDown}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} className={classes.spacer} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index]
        return (
          item !== undefined && (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              {renderItem(item, index)}
            </li>
          )
        )
      })}
    </ol>
  )
}
