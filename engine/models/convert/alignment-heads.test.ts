import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findAlignmentHeads, readAlignmentHeads } from './alignment-heads.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

const base: WhisperSizes = {
  vocabulary: 51_865,
  audioContext: 1500,
  audioState: 512,
  audioHeads: 8,
  audioLayers: 6,
  textContext: 448,
  textState: 512,
  textHeads: 8,
  textLayers: 6,
  melBands: 80,
}
const headsOfBase = [
  [3, 1],
  [4, 2],
  [4, 3],
  [4, 7],
  [5, 1],
  [5, 2],
  [5, 4],
  [5, 6],
]

test('OpenAI’s models have their heads by their sizes', () => {
  expect(findAlignmentHeads(base)).toEqual(headsOfBase)
  expect(findAlignmentHeads({ ...base, vocabulary: 51_864 })).toEqual([
    [3, 3],
    [4, 7],
    [5, 1],
    [5, 5],
    [5, 7],
  ])
  const large = { ...base, textState: 1280, textHeads: 20, textLayers: 32 }
  expect(findAlignmentHeads(large)).toHaveLength(23)
  expect(findAlignmentHeads({ ...large, vocabulary: 51_866 })).toHaveLength(10)
  expect(findAlignmentHeads({ ...large, vocabulary: 51_866, textLayers: 4 })).toHaveLength(6)
})

test('a model of other sizes has all heads in the upper half of its layers', () => {
  expect(findAlignmentHeads({ ...base, textLayers: 3, textHeads: 2 })).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
  ])
})

test.each<[string, unknown, number[][]]>([
  [
    'that names heads has those, in order',
    {
      alignment_heads: [
        [5, 1],
        [2, 7],
      ],
    },
    [
      [2, 7],
      [5, 1],
    ],
  ],
  ['that names none has those of its sizes', { alignment_heads: [] }, headsOfBase],
  ['that names heads of another model has those of its sizes', { alignment_heads: [[31, 19]] }, headsOfBase],
])('a file %s', async (_, content, expected) => {
  const path = join(await temporaryFolder(), 'generation_config.json')
  await writeFile(path, JSON.stringify(content))
  expect(await readAlignmentHeads(path, base)).toEqual(expected)
})

test('a missing file leaves the heads of the sizes', async () => {
  expect(await readAlignmentHeads(join(await temporaryFolder(), 'none.json'), base)).toEqual(headsOfBase)
})
