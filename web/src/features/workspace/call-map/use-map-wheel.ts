import { useEffect, type RefObject } from 'react'
import { spanOf, timeAt } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

/** Lines and pages of a wheel in pixels. */
const pixelsByMode = [1, 16, 400]
const zoomPerPixel = 0.0022
/** Touchpads report a pinch as small turns of the wheel with Ctrl. */
const zoomPerPinchPixel = 0.01

export function useMapWheel(surface: RefObject<HTMLElement | null>, view: MapView): void {
  useEffect(() => {
    const element = surface.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      const { left, width } = element.getBoundingClientRect()
      if (turnWheel(view, { event, width, share: (event.clientX - left) / width })) event.preventDefault()
    }
    // React's own listener is passive, which cannot prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [surface, view])
}

interface WheelTurn {
  event: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
  /** Of the map, in pixels. */
  width: number
  /** Where the pointer is, 0 to 1 of the width. */
  share: number
}

/**
 * Zooms at the pointer; sideways, or with Shift, pans. Returns whether the page must not scroll: it does where there is nothing to zoom or to
 * pan, but never for a pinch, which would zoom it.
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
