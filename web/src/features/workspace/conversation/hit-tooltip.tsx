import { Portal } from '@mantine/core'
import { useEffect, useId, useState, type RefObject } from 'react'
import classes from './hit-tooltip.module.css'

interface ShownTooltip {
  text: string
  /** The rectangle of the text that it is about, relative to the window. */
  target: DOMRect
}

/** The element that portals render into, so that their content is inside a landmark. */
const portalTarget = '#content'
/** Closer than this to a side of the window, the tooltip is not centered on its target. */
const halfWidthPx = 96
/** Closer than this to the top of the window, the tooltip goes below its target. */
const heightPx = 44

/**
 * The single tooltip of a list, for the element with `data-tooltip` that has the focus or is under the pointer. A tooltip per keyword
 * would cost several elements and listeners each.
 */
export function HitTooltip({ container }: { container: RefObject<HTMLElement | null> }) {
  const id = useId()
  const shown = useShownTooltip(container, id)
  if (!shown) return null
  const { text, target } = shown
  const isBelow = target.top < heightPx
  const center = Math.min(Math.max(target.left + target.width / 2, halfWidthPx), window.innerWidth - halfWidthPx)
  return (
    <Portal target={portalTarget}>
      <div
        id={id}
        role="tooltip"
        className={classes.tooltip}
        data-below={isBelow || undefined}
        style={{ left: center, top: isBelow ? target.bottom : target.top }}
      >
        {text}
      </div>
    </Portal>
  )
}

function useShownTooltip(container: RefObject<HTMLElement | null>, id: string): ShownTooltip | null {
  const [shown, setShown] = useState<ShownTooltip | null>(null)
  useEffect(() => {
    const element = container.current
    if (!element) return
    let described: HTMLElement | null = null

    function hide() {
      described?.removeAttribute('aria-describedby')
      described = null
      setShown(null)
    }
    function show({ target }: Event) {
      const next = target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
      if (next === described) return
      hide()
      if (!next) return
      described = next
      next.setAttribute('aria-describedby', id)
      // A keyword may wrap onto a second line; the tooltip belongs to the first part.
      const [firstLine = next.getBoundingClientRect()] = next.getClientRects()
      setShown({ text: next.dataset.tooltip ?? '', target: firstLine })
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') hide()
    }
    const listeners: [string, (event: never) => void][] = [
      ['pointerover', show],
      ['pointerleave', hide],
      ['focusin', show],
      ['focusout', hide],
      ['scroll', hide],
      ['keydown', onKeyDown],
    ]
    for (const [type, listener] of listeners) element.addEventListener(type, listener as EventListener)
    return () => {
      hide()
      for (const [type, listener] of listeners) element.removeEventListener(type, listener as EventListener)
    }
  }, [container, id])
  return shown
}
