import { expect, test } from 'vitest'

import { wavHeader } from '#testing/audio.ts'
import { parseWavHeader } from './wav-header.ts'

test('returns the channel count, the offset of the samples and their size', () => {
  const header = wavHeader(100, 2)
  // ffmpeg does not know the size of a stream and writes the maximum.
  header.writeUInt32LE(0xffffffff, 4)
  header.writeUInt32LE(0xffffffff, 40)
  expect(parseWavHeader(header)).toEqual({ channelCount: 2, sampleRate: 16_000, dataOffset: 44, dataBytes: 0xffffffff })
})

test('skips unknown chunks, which are padded to even lengths', () => {
  const header = wavHeader(100, 1)
  const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1')
  const bytes = Buffer.concat([header.subarray(0, 36), list, header.subarray(36)])
  expect(parseWavHeader(bytes)).toEqual({ channelCount: 1, sampleRate: 16_000, dataOffset: 56, dataBytes: 100 })
})

test('returns undefined for every truncated header', () => {
  const header = wavHeader(100, 2)
  for (let length = 0; length < 44; length += 1) expect(parseWavHeader(header.subarray(0, length))).toBeUndefined()
})

test('throws for bytes that are not a WAV stream', () => {
  expect(() => parseWavHeader(Buffer.from('this is some text'))).toThrow('WAV')
})
