import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMelFilters } from './mel-filters.ts'

test.each([
  // Hashes of the arrays in mel_filters.npz of the package openai-whisper 20250625, with their only -0 replaced by 0.
  [80, '85818f156f7e189453901a515e4726d270d307f976e161cf9403e8caab405498'],
  [128, 'e399c2d72d2f7375e503c296d8453cefcc0c1e47a9c1a0a09e0d70f59c820f20'],
])('%i bands give exactly the filters that Whisper was trained with', (bands, sha256) => {
  const filters = createMelFilters(bands)
  expect(filters).toHaveLength(bands * 201)
  expect(createHash('sha256').update(new Uint8Array(filters.buffer)).digest('hex')).toBe(sha256)
})
