import { audio } from '#contract/endpoints/audio.ts'
import { send } from '../../../../shared/api/client.ts'
import { byteRangeOf, encodeWav, makeWav, readWavLayout } from './wav.ts'

/** Longer than what any program writes before the samples. */
const headBytes = 64 * 1024
/** A browser decodes a whole file into memory: 4 bytes for each sample of each channel. */
const maxDecodedBytes = 512 * 1024 * 1024
/** Of what is decoded: the first rate at which the recording fits into memory. Speech is below 8,000 Hz. */
const decodedRates = [48_000, 16_000]

/** A recording that is too long to be decoded in a browser. */
export class TooLongToCutError extends Error {
  override name = 'TooLongToCutError'
}

interface Cut {
  id: string
  channels: number
  /** Seconds of the whole recording. */
  duration: number
  range: { start: number; end: number }
}

/**
 * Returns a part of a recording as a WAV file. The samples of a WAV file are taken as they are, without the rest of it; another file is
 * decoded as a whole. Throws ApiError, TooLongToCutError, or what the decoder throws.
 */
export async function cutClip({ id, channels, duration, range }: Cut): Promise<Blob> {
  const layout = readWavLayout(await fetchBytes(id, { from: 0, to: headBytes }))
  if (layout) {
    const bytes = byteRangeOf(layout, range)
    const samples = bytes.to > bytes.from ? await fetchBytes(id, bytes) : new ArrayBuffer(0)
    return makeWav(layout.format, samples)
  }
  const rate = decodedRates.find((each) => duration * each * channels * 4 <= maxDecodedBytes)
  if (rate === undefined) throw new TooLongToCutError('The recording is too long to be decoded here')
  const file = await (await send(audio.play, { params: { id } })).arrayBuffer()
  const decoded = await new OfflineAudioContext(channels, 1, rate).decodeAudioData(file)
  const [from, to] = [range.start, range.end].map((seconds) => Math.round(seconds * decoded.sampleRate))
  const parts = Array.from({ length: decoded.numberOfChannels }, (_, channel) =>
    decoded.getChannelData(channel).subarray(from, to),
  )
  return encodeWav(parts, decoded.sampleRate)
}

/** Fetches bytes of the file of a recording, `to` exclusive; fewer where it ends before. */
async function fetchBytes(id: string, { from, to }: { from: number; to: number }): Promise<ArrayBuffer> {
  const response = await send(audio.play, { params: { id }, headers: { Range: `bytes=${from}-${to - 1}` } })
  const bytes = await response.arrayBuffer()
  // A proxy may send all of the file.
  return response.status === 206 ? bytes : bytes.slice(from, to)
}
