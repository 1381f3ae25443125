import { expect, test } from 'vitest'
import { id } from '../testing/inputs.ts'
import { UploadResult } from './recording.ts'

const uploaded = {
  file_id: id,
  name: 'call.wav',
  size: 0,
  duration: 1.5,
  is_stereo: true,
  channels: 2,
  peaks: [
    [0, 1],
    [0.5, 0.5],
  ],
}

test('an upload says which earlier recording has the same bytes', () => {
  expect(UploadResult.parse(uploaded)).toEqual({ ...uploaded, duplicate_of: null })
  const duplicate_of = { id, name: 'earlier.wav' }
  expect(UploadResult.parse({ ...uploaded, duplicate_of })).toEqual({ ...uploaded, duplicate_of })
})

test.each([{ channels: 0 }, { channels: 9 }, { size: -1 }, { duration: -1 }, { peaks: [[1.1]] }, { peaks: [[-0.1]] }])(
  'no recording has %j',
  (change) => {
    expect(UploadResult.safeParse({ ...uploaded, ...change }).success).toBe(false)
  },
)
