import { describe, expect, test } from 'vitest'
import { canZoom, panWindow, shareAt, timeAt, turnTo, wholeWindow, zoomWindow } from './map-window.ts'

const duration = 600
const whole = wholeWindow(duration)

describe('zooming', () => {
  test('keeps the time at the pointer in its place', () => {
    const zoomed = zoomWindow(whole, { factor: 0.5, at: 150 }, duration)
    expect(zoomed).toEqual({ from: 75, to: 375 })
    expect(shareAt(zoomed, 150)).toBeCloseTo(shareAt(whole, 150))
  })

  test('stays within the recording', () => {
    expect(zoomWindow({ from: 0, to: 100 }, { factor: 2, at: 100 }, duration)).toEqual({ from: 0, to: 200 })
    expect(zoomWindow({ from: 500, to: 600 }, { factor: 2, at: 500 }, duration)).toEqual({ from: 400, to: 600 })
    expect(zoomWindow({ from: 20, to: 500 }, { factor: 9, at: 60 }, duration)).toEqual(whole)
  })

  test('ends at ten seconds and at the whole recording, with the same window', () => {
    const close = zoomWindow(whole, { factor: 0.001, at: 300 }, duration)
    expect(close).toEqual({ from: 295, to: 305 })
    expect(zoomWindow(close, { factor: 0.5, at: 300 }, duration)).toBe(close)
    expect(zoomWindow(whole, { factor: 2, at: 300 }, duration)).toBe(whole)
  })

  test('does nothing for a recording of a few seconds', () => {
    const short = wholeWindow(6)
    expect(zoomWindow(short, { factor: 0.5, at: 3 }, 6)).toBe(short)
    expect([canZoom(6), canZoom(60)]).toEqual([false, true])
  })
})

test('panning ends at the ends of the recording', () => {
  const window = { from: 100, to: 200 }
  expect(panWindow(window, 50, duration)).toEqual({ from: 150, to: 250 })
  expect(panWindow(window, -500, duration)).toEqual({ from: 0, to: 100 })
  expect(panWindow(window, 900, duration)).toEqual({ from: 500, to: 600 })
})

test('turning to a time that is shown changes nothing; another one comes near the start', () => {
  const window = { from: 100, to: 200 }
  expect(turnTo(window, 150, duration)).toBe(window)
  expect(turnTo(window, 300, duration)).toEqual({ from: 290, to: 390 })
  expect(turnTo(window, 5, duration)).toEqual({ from: 0, to: 100 })
  expect(turnTo(window, 599, duration)).toEqual({ from: 500, to: 600 })
})

test('a place beyond the map is its edge', () => {
  expect([-0.2, 0.5, 1.4].map((share) => timeAt({ from: 100, to: 200 }, share))).toEqual([100, 150, 200])
})
