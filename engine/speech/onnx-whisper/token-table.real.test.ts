import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { whisperOnnxDir } from '#testing/real-data.ts'
import { readTokenTable } from './token-table.ts'

describe.skipIf(lacks('whisperOnnx'))("Whisper's own tokens", () => {
  // The ids that OpenAI's tokenizer returns for the text.
  test.each([
    ['Well, 10,000 are well-known.', [1042, 11, 1266, 11, 1360, 366, 731, 12, 6861, 13]],
    [
      'زما نوم احمد دی، ستاسو نوم څه دی؟',
      [
        30767, 15042, 8717, 20498, 1975, 35571, 3215, 11778, 4135, 12399, 8608, 2655, 32277, 2407, 8717, 20498, 220,
        150, 227, 3224, 11778, 4135, 22807,
      ],
    ],
  ])('the tokens and words of %s', async (text, ids) => {
    const table = await readTokenTable(join(whisperOnnxDir, 'tokens.txt'))
    expect(table.encode(` ${text}`)).toEqual(ids)
    const words = table.words(ids)
    expect(words.map((word) => word.text)).toEqual(text.split(' '))
    expect(words.flatMap(({ tokens }) => tokens)).toEqual([...ids.keys()])
  })
})
