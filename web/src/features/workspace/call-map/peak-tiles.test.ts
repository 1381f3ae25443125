import { describe, expect, test } from 'vitest'
import { columnHeights, listTiles } from './peak-tiles.ts'

describe('the parts to ask for', () => {
  test('are the whole recording while all of it is shown', () => {
    expect(listTiles({ from: 0, to: 3600 }, 3600)).toEqual([{ from: 0, to: 3600, bins: 4096 }])
  })

  test('have no bins finer than the server has', () => {
    expect(listTiles({ from: 0, to: 4 }, 4)).toEqual([{ from: 0, to: 4, bins: 200 }])
    expect(listTiles({ from: 1, to: 2 }, 4)).toHaveLength(1)
  })

  test('are the same for windows that differ a little', () => {
    const tiles = listTiles({ from: 1000, to: 1200 }, 3600)
    expect(tiles).toEqual([
      { from: 0, to: 3600, bins: 4096 },
      { from: 900, to: 1125, bins: 4096 },
      { from: 1125, to: 1350, bins: 4096 },
    ])
    expect(listTiles({ from: 1010, to: 1211 }, 3600)).toEqual(tiles)
  })

  test('cover the window wherever it is, with at most two besides the whole', () => {
    for (const span of [10, 45, 200, 1500]) {
      for (let from = 0; from <= 3600 - span; from += 97) {
        const [, ...parts] = listTiles({ from, to: from + span }, 3600)
        expect(parts.length).toBeLessThanOrEqual(2)
        expect(parts[0]?.from ?? 0).toBeLessThanOrEqual(from)
        expect(parts.at(-1)?.to ?? 3600).toBeGreaterThanOrEqual(from + span)
      }
    }
  })
})

describe('the heights of the columns', () => {
  const whole = { from: 0, to: 8, channels: [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(9, 0, 0, 0)] }

  test('are the largest of their part of the window', () => {
    expect([...columnHeights([whole], 0, { from: 0, to: 8 }, 2)]).toEqual([2, 4])
    expect([...columnHeights([whole], 1, { from: 0, to: 8 }, 2)]).toEqual([9, 0])
  })

  test('repeat where the window is finer than the bins', () => {
    expect([...columnHeights([whole], 0, { from: 2, to: 6 }, 4)]).toEqual([2, 2, 3, 3])
  })

  test('are those of the finer tile where it has arrived', () => {
    const part = { from: 4, to: 6, channels: [Uint8Array.of(50, 60)] }
    expect([...columnHeights([whole, part], 0, { from: 2, to: 6 }, 4)]).toEqual([2, 2, 50, 60])
  })

  test('are zero before anything has arrived', () => {
    expect([...columnHeights([], 0, { from: 0, to: 8 }, 3)]).toEqual([0, 0, 0])
  })
})
