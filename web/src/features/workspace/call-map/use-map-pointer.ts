import { useRef, useState, type PointerEvent } from 'react'
import { timeAt } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

/** The position of the pointer on the map, in CSS pixels from the top left corner. */
export interface HoverPoint {
  x: number
  y: number
}

interface Touch extends HoverPoint {
  hasMoved: boolean
}

/** A finger that moves less than this is a tap. */
const tapDistance = 6

/**
 * Handles the pointer: clicking and dragging seek, also with a finger; two fingers zoom and pan. A finger that moves up or down scrolls
 * the page, and the browser then cancels the pointer, so a finger seeks only once it moves sideways or is lifted.
 */
export function useMapPointer(view: MapView, seek: (time: number) => void) {
  const [hover, setHover] = useState<HoverPoint | null>(null)
  const pointers = useRef(new Map<number, Touch>())
  const isPinching = useRef(false)

  function release(event: PointerEvent<HTMLElement>) {
    pointers.current.delete(event.pointerId)
    if (pointers.current.size === 0) isPinching.current = false
    if (event.pointerType !== 'mouse') setHover(null)
  }

  function drag(event: PointerEvent<HTMLElement>, pressed: Touch, point: HoverPoint) {
    const box = event.currentTarget.getBoundingClientRect()
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (other) pinch(view, box.width, { other, before: pressed, after: point })
    const hasMoved = pressed.hasMoved || Math.abs(point.x - pressed.x) > tapDistance || event.pointerType === 'mouse'
    if (hasMoved && !isPinching.current) seek(timeAt(view.window, point.x / box.width))
    pointers.current.set(event.pointerId, hasMoved || other ? { ...point, hasMoved } : pressed)
  }

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const point = toPoint(event)
      pointers.current.set(event.pointerId, { ...point, hasMoved: false })
      if (pointers.current.size > 1) isPinching.current = true
      setHover(point)
      if (event.pointerType === 'mouse') seek(timeAt(view.window, shareOf(event)))
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const point = toPoint(event)
      const pressed = pointers.current.get(event.pointerId)
      if (pressed) drag(event, pressed, point)
      setHover(isPinching.current ? null : point)
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const pressed = pointers.current.get(event.pointerId)
      const isTap = pressed && !pressed.hasMoved && !isPinching.current && event.pointerType !== 'mouse'
      if (isTap) seek(timeAt(view.window, shareOf(event)))
      release(event)
    },
    onPointerCancel: release,
    onPointerLeave: () => setHover(null),
  }
  return { hover, handlers }
}

function toPoint(event: PointerEvent<HTMLElement>): HoverPoint {
  const box = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - box.left, y: event.clientY - box.top }
}

function shareOf(event: PointerEvent<HTMLElement>): number {
  const box = event.currentTarget.getBoundingClientRect()
  return (event.clientX - box.left) / box.width
}

/** Zooms by the change in distance between the fingers, around the other finger, which keeps its place. */
function pinch(
  view: MapView,
  width: number,
  { other, before, after }: { other: HoverPoint; before: HoverPoint; after: HoverPoint },
): void {
  const minDistance = 20
  const distance = (point: HoverPoint) => Math.max(minDistance, Math.hypot(point.x - other.x, point.y - other.y))
  view.zoom(distance(before) / distance(after), timeAt(view.window, other.x / width))
}
