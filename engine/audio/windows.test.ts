import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { temporaryFolder } from '#testing/temporary-folder.ts'
import { packWindows, readWindow } from './windows.ts'

const minute = new Float32Array(3000).fill(0.1)
const options = { frames: minute, maxWindowMs: 30_000, oneSpanPerWindow: false, paddingMs: 150, gapMs: 200 }

describe('packWindows', () => {
  test('keeps the padding inside the bounds', () => {
    const bounds = { startMs: 950, endMs: 2050 }
    const [window] = packWindows([{ startMs: 1000, endMs: 2000 }], { ...options, bounds })
    expect(window?.pieces).toMatchObject([{ sourceStartMs: 950, sourceEndMs: 2050 }])
  })

  test('packs spans with their padding and a gap of silence between them', () => {
    const spans = [
      { startMs: 1000, endMs: 2000 },
      { startMs: 5000, endMs: 5500 },
    ]
    expect(packWindows(spans, options)).toEqual([
      {
        durationMs: 1300 + 200 + 800,
        pieces: [
          {
            sourceStartMs: 850,
            sourceEndMs: 2150,
            speechStartMs: 1000,
            speechEndMs: 2000,
            windowStartMs: 0,
            beginsTurn: true,
          },
          {
            sourceStartMs: 4850,
            sourceEndMs: 5650,
            speechStartMs: 5000,
            speechEndMs: 5500,
            windowStartMs: 1500,
            beginsTurn: true,
          },
        ],
      },
    ])
  })

  test('pads at most to the middle of a pause and to the ends of the recording', () => {
    const spans = [
      { startMs: 100, endMs: 2000 },
      { startMs: 2200, endMs: 59_900 },
    ]
    const pieces = packWindows(spans, { ...options, maxWindowMs: 100_000 }).flatMap((window) => window.pieces)
    expect(pieces.map(({ sourceStartMs, sourceEndMs }) => [sourceStartMs, sourceEndMs])).toEqual([
      [0, 2100],
      [2100, 60_000],
    ])
  })

  test('puts each span into its own window for models of one utterance per call', () => {
    const spans = [
      { startMs: 1000, endMs: 2000 },
      { startMs: 2300, endMs: 2800 },
    ]
    expect(packWindows(spans, { ...options, oneSpanPerWindow: true }).map(({ durationMs }) => durationMs)).toEqual([
      1300, 800,
    ])
  })

  test('splits a long span where it is quietest', () => {
    const frames = minute.slice()
    // 100 ms around 8.99 s, within the last two fifths before the limit.
    frames.fill(0.01, 447, 452)
    const [first, second] = packWindows([{ startMs: 0, endMs: 15_000 }], { ...options, frames, maxWindowMs: 10_300 })
    expect(first?.pieces[0]?.sourceEndMs).toBe(8980)
    expect(second?.pieces[0]?.sourceStartMs).toBe(first?.pieces[0]?.sourceEndMs)
    expect(second?.pieces[0]?.speechEndMs).toBe(15_000)
  })

  test('a turn begins after a pause that ends a line, or after speech of the other channel', () => {
    const spans = [
      { startMs: 1000, endMs: 2000 },
      { startMs: 2600, endMs: 3000 },
      { startMs: 3900, endMs: 5000 },
      { startMs: 5700, endMs: 6000 },
    ]
    const begins = (otherSpans: { startMs: number; endMs: number }[]) =>
      packWindows(spans, { ...options, otherSpans }).flatMap(({ pieces }) => pieces.map(({ beginsTurn }) => beginsTurn))
    expect(begins([])).toEqual([true, false, true, false])
    expect(begins([{ startMs: 5100, endMs: 5600 }])).toEqual([true, false, true, true])
    // Overlapping speech does not interrupt a line.
    expect(begins([{ startMs: 2500, endMs: 3500 }])).toEqual([true, false, true, false])
  })

  test('a window never contains a long pause', () => {
    const spans = [
      { startMs: 1000, endMs: 2000 },
      { startMs: 33_000, endMs: 34_000 },
    ]
    expect(packWindows(spans, options)).toHaveLength(2)
    expect(packWindows(spans, { ...options, maxPauseMs: 40_000 })).toHaveLength(1)
  })

  test('returns no window without speech', () => {
    expect(packWindows([], options)).toEqual([])
  })

  test('no window is too long, none overlaps, and no speech is lost', () => {
    const spanList = fc
      .array(fc.tuple(fc.integer({ min: 13, max: 200 }), fc.integer({ min: 4, max: 2500 })), { maxLength: 40 })
      .map((steps) => {
        let frame = 0
        return steps.map(([pause, speech]) => {
          const startMs = (frame + pause) * 20
          frame += pause + speech
          return { startMs, endMs: frame * 20 }
        })
      })
    fc.assert(
      fc.property(
        spanList,
        fc.integer({ min: 2000, max: 30_000 }),
        fc.boolean(),
        (spans, maxWindowMs, oneSpanPerWindow) => {
          const frames = new Float32Array((spans.at(-1)?.endMs ?? 0) / 20).fill(0.1)
          const windows = packWindows(spans, { frames, maxWindowMs, oneSpanPerWindow })
          const pieces = windows.flatMap((window) => window.pieces)
          expect(windows.filter(({ durationMs }) => durationMs > maxWindowMs)).toEqual([])
          expect(pieces.filter((piece, index) => piece.sourceStartMs < (pieces[index - 1]?.sourceEndMs ?? 0))).toEqual(
            [],
          )
          const speechMs = (list: { startMs: number; endMs: number }[]) =>
            list.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
          const packed = pieces.map(({ speechStartMs, speechEndMs }) => ({
            startMs: speechStartMs,
            endMs: speechEndMs,
          }))
          expect(speechMs(packed)).toBeCloseTo(speechMs(spans))
        },
      ),
    )
  })
})

describe('readWindow', () => {
  test('reads the pieces of one channel with zeros between them', async () => {
    const pcmPath = join(await temporaryFolder(), 'pcm.s16le')
    // The left channel holds the time in milliseconds, the right one its negative.
    const samples = new Int16Array(16_000 * 2 * 2).map((_, at) => Math.floor(at / 32) * (at % 2 === 0 ? 1 : -1))
    await writeFile(pcmPath, samples)
    const window = {
      durationMs: 300,
      pieces: [
        {
          sourceStartMs: 100,
          sourceEndMs: 200,
          speechStartMs: 100,
          speechEndMs: 200,
          windowStartMs: 0,
          beginsTurn: true,
        },
        {
          sourceStartMs: 1950,
          sourceEndMs: 2050,
          speechStartMs: 1950,
          speechEndMs: 2000,
          windowStartMs: 200,
          beginsTurn: true,
        },
      ],
    }
    const read = await readWindow({ pcmPath, channelCount: 2 }, 1, window)
    const inMs = (ms: number) => Math.round((read[ms * 16] ?? Number.NaN) * 32_768)
    expect(read.length).toBe(4800)
    expect([inMs(0), inMs(99), inMs(100), inMs(199), inMs(200), inMs(249)]).toEqual([-100, -199, 0, 0, -1950, -1999])
    // Beyond the end of the recording there is silence.
    expect([inMs(250), inMs(299)]).toEqual([0, 0])
  })
})
