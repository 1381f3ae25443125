import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMapView } from './use-map-view.ts'
import { turnWheel } from './use-map-wheel.ts'

/** Returns a ten-minute map and `turn`, which turns the wheel in its middle and returns whether the page is kept from scrolling. */
function openMap() {
  const { result } = renderHook(() => useMapView(600))
  const still = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false }
  function turn(event: Partial<typeof still>): boolean {
    let isUsed = false
    act(() => {
      isUsed = turnWheel(result.current, { event: { ...still, ...event }, width: 600, share: 0.5 })
    })
    return isUsed
  }
  return { result, turn }
}

test('the wheel zooms around the pointer', () => {
  const { result, turn } = openMap()
  expect(turn({ deltaY: -300 })).toBe(true)
  const { from, to } = result.current.window
  expect(from + to).toBeCloseTo(600)
  expect(to - from).toBeLessThan(400)
  expect(turn({ deltaY: 2000 })).toBe(true)
  expect(result.current.isZoomed).toBe(false)
})

test('the page scrolls where there is nothing to zoom or to pan', () => {
  const { turn } = openMap()
  expect([turn({ deltaY: 100 }), turn({ deltaX: 100 }), turn({ deltaY: -100, shiftKey: true })]).toEqual([
    false,
    false,
    false,
  ])
})

test('a pinch never zooms the page', () => {
  const { result, turn } = openMap()
  expect(turn({ deltaY: 20, ctrlKey: true })).toBe(true)
  expect(result.current.isZoomed).toBe(false)
  turn({ deltaY: -50, ctrlKey: true })
  expect(result.current.isZoomed).toBe(true)
})

test.each([{ deltaX: 100 }, { deltaY: 100, shiftKey: true }])('a zoomed map pans by %j', (event) => {
  const { result, turn } = openMap()
  turn({ deltaY: -300 })
  const { from } = result.current.window
  expect(turn(event)).toBe(true)
  expect(result.current.window.from).toBeGreaterThan(from)
})

test('a wheel that counts lines zooms as far as one that counts pixels', () => {
  const [byLines, byPixels] = [openMap(), openMap()]
  byLines.turn({ deltaY: -3, deltaMode: 1 })
  byPixels.turn({ deltaY: -48 })
  expect(byLines.result.current.window).toEqual(byPixels.result.current.window)
})
