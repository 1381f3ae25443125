import { useEffect, type RefObject } from 'react'
import { spanOf, timeAt } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

/** Lines and pages of a wheel in pixels. */
const pixelsByMode = [1, 16, 400]
const zoomPerPixel = 0.0022
/** Touchpads report a pinch as small turns of the wheel with Ctrl. */
const zoomPerPinchPixel = 0.01

/**
 * The wheel zooms at the pointer, sideways it pans. Where there is nothing to zoom or to pan the page scrolls; a pinch, which would zoom the
 * page, never does.
 */
export function useMapWheel(surface: RefObject<HTMLElement | null>, view: MapView): void {
  useEffect(() => {
    const element = surface.current
    if (!element) return
    function onWheel(event: WheelEvent) {
      if (turn(event, view)) event.preventDefault()
    }
    // React's own listener is passive, which cannot prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [surface, view])
}

/** Returns whether the wheel's turn is used up. */
function turn(event: WheelEvent, view: MapView): boolean {
  if (!(event.currentTarget instanceof HTMLElement)) return false
  const box = event.currentTarget.getBoundingClientRect()
  const unit = pixelsByMode[event.deltaMode] ?? 1
  const isPinch = event.ctrlKey || event.metaKey
  const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX
  if (!isPinch && (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY))) {
    if (view.isZoomed) view.pan((sideways * unit * spanOf(view.window)) / box.width)
    return view.isZoomed
  }
  const factor = Math.exp(event.deltaY * unit * (isPinch ? zoomPerPinchPixel : zoomPerPixel))
  const hasZoomed = view.zoom(factor, timeAt(view.window, (event.clientX - box.left) / box.width))
  return hasZoomed || isPinch
}
