import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

interface GridFocusOptions {
  scroller: RefObject<HTMLElement | null>
  activeIndex: number
}

/**
 * Returns a function that focuses the active row once it is rendered. If a focused row is replaced, such as when its page loads or it
 * is deleted, the row in its place gets the focus.
 */
export function useGridFocus({ scroller, activeIndex }: GridFocusOptions): () => void {
  const [requestCount, setRequestCount] = useState(0)
  const handledCount = useRef(0)
  const hadFocus = useRef(false)

  useEffect(() => {
    function onFocusIn({ target }: FocusEvent) {
      hadFocus.current = target instanceof Node && scroller.current?.contains(target) === true
    }
    // A click outside the list may take the focus without giving it to another element.
    function onPointerDown({ target }: PointerEvent) {
      if (target instanceof Node && !scroller.current?.contains(target)) hadFocus.current = false
    }
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [scroller])

  useLayoutEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body
    if (handledCount.current === requestCount && !isLost) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${activeIndex}"]`)
    if (!row) return
    handledCount.current = requestCount
    row.focus({ preventScroll: true })
  })
  return () => setRequestCount((count) => count + 1)
}
