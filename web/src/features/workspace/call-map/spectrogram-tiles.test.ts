import { expect, test } from 'vitest'
import { levelOpacity, listSpectrogramTiles, type SpectrogramTile } from './spectrogram-tiles.ts'

test.each([
  ['a window of five minutes', { from: 0, to: 300 }, [[0, 300]]],
  ['a shorter one', { from: 20, to: 120 }, [[0, 150]]],
  [
    'one across the edge of two parts',
    { from: 140, to: 160 },
    [
      [112.5, 150],
      [150, 187.5],
    ],
  ],
  ['the end of the recording', { from: 3500, to: 3600 }, [[3450, 3600]]],
  ['more than five minutes', { from: 0, to: 301 }, []],
])('%s', (_, window, expected) => {
  const tiles = listSpectrogramTiles(window, 3600)
  expect(tiles.map(({ from, to }) => [from, to])).toEqual(expected)
})

test('no part reaches beyond the recording', () => {
  expect(listSpectrogramTiles({ from: 0, to: 17 }, 17)).toEqual([{ from: 0, to: 17 }])
})

test('every window lies within its parts, which are at most as long as the server decodes', () => {
  for (let span = 0.5; span <= 300; span *= 1.37) {
    for (let from = 0; from + span <= 3600; from += 97.3) {
      const tiles = listSpectrogramTiles({ from, to: from + span }, 3600)
      expect(tiles.length).toBeLessThanOrEqual(2)
      expect(tiles[0]?.from).toBeLessThanOrEqual(from)
      expect(tiles.at(-1)?.to).toBeGreaterThanOrEqual(from + span - 1e-9)
      for (const tile of tiles) expect(tile.to - tile.from).toBeLessThanOrEqual(300)
    }
  }
})

const tileOf = (levels: number[]): SpectrogramTile => ({
  from: 0,
  to: 1,
  columns: levels.length,
  rows: 1,
  maxHz: 4000,
  channels: [Uint8Array.from(levels)],
})

test('the loudest is opaque, and what is 55 dB below it invisible, however loud the recording is', () => {
  for (const loudest of [250, 170]) {
    const levels = Array.from({ length: 2000 }, (_, at) => (at < 20 ? loudest : 20))
    const opacity = levelOpacity([tileOf(levels)])
    expect(opacity[loudest]).toBe(255)
    expect(opacity[loudest - 147]).toBe(0)
    expect(opacity[loudest - 73]).toBeGreaterThan(100)
  }
})

test('a single click does not lighten everything else', () => {
  const levels = [255, ...Array.from({ length: 5000 }, (_, at) => (at % 2 === 0 ? 180 : 20))]
  expect(levelOpacity([tileOf(levels)])[180]).toBe(255)
})
