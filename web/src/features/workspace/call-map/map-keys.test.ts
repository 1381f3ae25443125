import { expect, it, vi } from 'vitest'
import { mapKeyAction } from './map-keys.ts'
import type { MapView } from './use-map-view.ts'

const window = { from: 100, to: 140 }

/** Presses a key while the position is at `time`; returns what the key did. */
function press(key: string, time: number, shown = window) {
  const seek = vi.fn<(time: number) => void>()
  const zoom = vi.fn<MapView['zoom']>()
  const showAll = vi.fn<MapView['showAll']>()
  const view = { window: shown, durationSeconds: 600, zoom, showAll } satisfies Partial<MapView> as unknown as MapView
  const action = mapKeyAction(key, { view, time, seek })
  action?.()
  return { isKnown: action !== undefined, seek: seek.mock.calls[0]?.[0], zoom: zoom.mock.calls[0], showAll }
}

it.each([
  ['ArrowLeft', 118],
  ['ArrowDown', 118],
  ['ArrowRight', 122],
  ['ArrowUp', 122],
  ['PageDown', 110],
  ['PageUp', 130],
  ['Home', 0],
  ['End', 600],
])('%s goes to another time', (key, time) => {
  expect(press(key, 120).seek).toBe(time)
})

it('steps at most 5 seconds, however much is shown', () => {
  expect(press('ArrowRight', 120, { from: 0, to: 600 }).seek).toBe(125)
})

it.each([100, 120, 140])('zooms around the playback position where it is shown, at %s too', (time) => {
  expect(press('+', time).zoom).toEqual([0.5, time])
  expect(press('=', time).zoom).toEqual([0.5, time])
  expect(press('-', time).zoom).toEqual([2, time])
})

it.each([99, 141])('zooms around the middle where the playback position is not shown: %s', (time) => {
  expect(press('+', time).zoom).toEqual([0.5, undefined])
})

it('shows the whole recording with 0, and leaves other keys alone', () => {
  expect(press('0', 120).showAll).toHaveBeenCalledOnce()
  expect(press('x', 120).isKnown).toBe(false)
})
