import { useEffect, type RefObject } from 'react'
import { spanOf, timeAt } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

/** Pixels per unit of a wheel event: pixel, line and page. */
const pixelsByMode = [1, 16, 400]
const zoomPerPixel = 0.0022
/** Touchpads report a pinch as small wheel turns with Ctrl. */
const zoomPerPinchPixel = 0.01

export function useMapWheel(surface: RefObject<HTMLElement | null>, view: MapView): void {
  useEffect(() => {
    const element = surface.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      const { left, width } = element.getBoundingClientRect()
      if (turnWheel(view, { event, width, share: (event.clientX - left) / width })) event.preventDefault()
    }
    // React's own listener is passive and cannot prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [surface, view])
}

interface WheelTurn {
  event: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
  /** The width of the map, in pixels. */
  width: number
  /** The position of the pointer, 0 to 1 of the width. */
  share: number
}

/**
 * Zooms at the pointer; a sideways turn, or one with Shift, pans. Returns whether to keep the page from scrolling: it scrolls if there is
 * nothing to zoom or pan, but never for a pinch, which would zoom the page.
 */
export function turnWheel(view: MapView, { event, width, share }: WheelTurn): boolean {
  const unit = pixelsByMode[event.deltaMode] ?? 1
  const isPinch = event.ctrlKey || event.metaKey
  const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX
  if (!isPinch && (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY))) {
    if (view.isZoomed) view.pan((sideways * unit * spanOf(view.window)) / width)
    return view.isZoomed
  }
  const factor = Math.exp(event.deltaY * unit * (isPinch ? zoomPerPinchPixel : zoomPerPixel))
  const hasZoomed = view.zoom(factor, timeAt(view.window, share))
  return hasZoomed || isPinch
}
