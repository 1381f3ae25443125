import { expect, it } from 'vitest'
import { byteRangeOf, makeWav, readWavLayout } from './wav.ts'

const ramp = (length: number, sign = 1) => Array.from({ length }, (_, at) => sign * at)

/** Returns a WAV file of 16 bits. */
function writeWav(channels: number[][], sampleRate: number): Promise<ArrayBuffer> {
  const [count, frames] = [channels.length, channels[0]?.length ?? 0]
  const samples = Int16Array.from(
    { length: frames * count },
    (_, at) => channels[at % count]?.[Math.floor(at / count)] ?? 0,
  )
  const [frameBytes, bits] = [2 * count, 16]
  const format = new Uint8Array(
    new Uint32Array([1 | (count << 16), sampleRate, sampleRate * frameBytes, frameBytes | (bits << 16)]).buffer,
  )
  return makeWav(format, samples.buffer).arrayBuffer()
}
const samplesOf = (bytes: ArrayBuffer) => [...new Int16Array(bytes)]

it('a clip of a WAV file has the same samples as the file', async () => {
  const file = await writeWav([ramp(8000), ramp(8000, -1)], 8000)
  const layout = readWavLayout(file)
  expect(layout).toMatchObject({ sampleRate: 8000, frameBytes: 4, dataOffset: 44, dataBytes: 32_000 })
  if (!layout) return
  const { from, to } = byteRangeOf(layout, { start: 0.25, end: 0.5 })
  const clip = await makeWav(layout.format, file.slice(from, to)).arrayBuffer()
  const cut = readWavLayout(clip)
  expect(cut).toMatchObject({ sampleRate: 8000, frameBytes: 4, dataBytes: 8000 })
  const samples = samplesOf(clip.slice(cut?.dataOffset))
  expect(samples.slice(0, 4)).toEqual([2000, -2000, 2001, -2001])
  expect(samples.slice(-2)).toEqual([3999, -3999])
})

it('finds the samples behind other chunks of odd and even sizes', async () => {
  const plain = new Uint8Array(await writeWav([ramp(10)], 8000))
  const extra = [...'LIST'].map((letter) => letter.charCodeAt(0))
  const file = Uint8Array.from([...plain.slice(0, 12), ...extra, 3, 0, 0, 0, 1, 2, 3, 0, ...plain.slice(12)])
  expect(readWavLayout(file.buffer)).toMatchObject({ dataOffset: 56, dataBytes: 20 })
})

it('keeps within the file, and is empty beyond its end', async () => {
  const layout = readWavLayout(await writeWav([ramp(100)], 100))
  if (!layout) throw new Error('This is a WAV file')
  expect(byteRangeOf(layout, { start: -1, end: 5 })).toEqual({ from: 44, to: 244 })
  expect(byteRangeOf(layout, { start: 3, end: 5 })).toEqual({ from: 244, to: 244 })
})

it.each([
  ['another file', 'ID3 something that is longer than a head'],
  ['an empty one', ''],
])('is none in %s', (_, text) => {
  expect(readWavLayout(new TextEncoder().encode(text).buffer)).toBeUndefined()
})

it('is none where samples have no fixed size', async () => {
  const file = new Uint8Array(await writeWav([ramp(10)], 8000))
  file[20] = 0x11
  expect(readWavLayout(file.buffer)).toBeUndefined()
})
