import { expect, test } from 'vitest'
import { buildTurns } from './build-turns.ts'
import { voiceDirection } from './testing/windows.ts'
import { cutWindows } from './voice-window.ts'

const voices = [voiceDirection(0), voiceDirection(1)]

/** Returns windows of these spans, each with the embedding of the voice that speaks at its midpoint. */
function windowsOf(spans: { startMs: number; endMs: number }[], voiceAt: (ms: number) => number) {
  return cutWindows(spans).map((window) => ({
    ...window,
    embedding: voiceDirection(voiceAt((window.startMs + window.endMs) / 2)),
  }))
}

test('a speaker change within a span splits it near the change', () => {
  const spans = [{ startMs: 0, endMs: 10_000 }]
  const turns = buildTurns(
    spans,
    windowsOf(spans, (ms) => (ms < 5000 ? 0 : 1)),
    voices,
  )
  expect(turns.map(({ voice }) => voice)).toEqual([0, 1])
  expect(turns[0]?.startMs).toBe(0)
  expect(turns[1]?.endMs).toBe(10_000)
  expect(Math.abs((turns[0]?.endMs ?? 0) - 5000)).toBeLessThanOrEqual(400)
  expect(turns[1]?.startMs).toBe(turns[0]?.endMs)
})

test('turns cover the spans exactly', () => {
  const spans = [
    { startMs: 130, endMs: 3333 },
    { startMs: 4000, endMs: 4090 },
    { startMs: 5000, endMs: 9001 },
  ]
  const turns = buildTurns(
    spans,
    windowsOf(spans, (ms) => (ms < 6500 ? 0 : 1)),
    voices,
  )
  for (const { startMs, endMs } of spans) {
    const inside = turns.filter((turn) => turn.startMs >= startMs && turn.endMs <= endMs)
    expect(inside[0]?.startMs).toBe(startMs)
    expect(inside.at(-1)?.endMs).toBe(endMs)
    expect(inside.reduce((sum, turn) => sum + turn.endMs - turn.startMs, 0)).toBe(endMs - startMs)
  }
})

test('a span too short for a window belongs to the preceding voice', () => {
  const spans = [
    { startMs: 0, endMs: 1600 },
    { startMs: 3000, endMs: 3100 },
  ]
  const turns = buildTurns(
    spans,
    windowsOf(spans, () => 1),
    voices,
  )
  expect(turns.map(({ voice }) => voice)).toEqual([1, 1])
})

test('without voices or windows there is one voice, without spans there is none', () => {
  expect(buildTurns([{ startMs: 0, endMs: 150 }], [], [])).toEqual([{ startMs: 0, endMs: 150, voice: 0 }])
  expect(buildTurns([], [], voices)).toEqual([])
})

test('cuts spans into half-overlapping windows that reach their end', () => {
  expect(cutWindows([{ startMs: 0, endMs: 150 }])).toEqual([])
  expect(cutWindows([{ startMs: 100, endMs: 1500 }])).toEqual([{ startMs: 100, endMs: 1500 }])
  const windows = cutWindows([{ startMs: 0, endMs: 4100 }])
  expect(windows.map(({ startMs }) => startMs)).toEqual([0, 800, 1600, 2400, 2500])
  expect(windows.every(({ startMs, endMs }) => endMs - startMs === 1600)).toBe(true)
})
