import { expect, test } from 'vitest'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { PlannedWindow } from './channel-plan.ts'
import { orderWindows } from './order-windows.ts'

/** Returns a window of a channel, starting at the given minute of the recording. */
function planned(channel: 0 | 1, minute: number, modelId: string): PlannedWindow {
  const startMs = minute * 60_000
  const piece = {
    sourceStartMs: startMs,
    sourceEndMs: startMs + 1000,
    speechStartMs: startMs,
    speechEndMs: startMs + 1000,
    windowStartMs: 0,
    beginsTurn: true,
  }
  return {
    channel,
    index: minute,
    window: { pieces: [piece], durationMs: 1000 },
    key: `${channel}:${minute}`,
    language: 'ps',
    languageProbability: null,
    model: { id: modelId } as SpeechModel, // nothing else is read
  }
}

const minutes = Array.from({ length: 20 }, (_, minute) => minute)

test('with one model windows are in order of time', () => {
  const ordered = orderWindows(
    minutes.flatMap((minute) => [planned(0, minute, 'one'), planned(1, minute + 0.5, 'one')]),
  )
  const starts = ordered.map(({ window }) => window.pieces[0]?.speechStartMs ?? 0)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
})

test('with a model for each speaker neither gets far ahead, and models are not switched at every window', () => {
  const ordered = orderWindows([
    ...minutes.map((minute) => planned(0, minute, 'pashto')),
    ...minutes.map((minute) => planned(1, minute, 'english')),
  ])
  let changes = 0
  const reached = [0, 0]
  for (const [index, { channel, window, model }] of ordered.entries()) {
    if (index > 0 && ordered[index - 1]?.model.id !== model.id) changes += 1
    reached[channel] = (window.pieces[0]?.speechStartMs ?? 0) / 60_000
    expect(Math.abs((reached[0] ?? 0) - (reached[1] ?? 0))).toBeLessThanOrEqual(9)
  }
  expect(changes).toBe(7)
})
