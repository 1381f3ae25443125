import { useEffect, useRef, type RefObject } from 'react'

const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])

/** Calls a handler when the reader scrolls an element by wheel, touch, keys or scroll bar, but not when code scrolls it. */
export function useReaderScroll(element: RefObject<HTMLElement | null>, onScroll: () => void): void {
  const latest = useRef(onScroll)
  useEffect(() => {
    latest.current = onScroll
  })
  useEffect(() => {
    const scroller = element.current
    if (!scroller) return
    const report = () => latest.current()
    const onPointerDown = ({ target }: Event) => {
      // A press outside the rows is on the scroll bar, or in the space below the last row.
      if (target === scroller) report()
    }
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (scrollKeys.has(key)) report()
    }
    scroller.addEventListener('wheel', report, { passive: true })
    scroller.addEventListener('touchmove', report, { passive: true })
    scroller.addEventListener('pointerdown', onPointerDown)
    scroller.addEventListener('keydown', onKeyDown)
    return () => {
      scroller.removeEventListener('wheel', report)
      scroller.removeEventListener('touchmove', report)
      scroller.removeEventListener('pointerdown', onPointerDown)
      scroller.removeEventListener('keydown', onKeyDown)
    }
  }, [element])
}
