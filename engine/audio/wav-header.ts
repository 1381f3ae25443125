export interface WavHeader {
  channelCount: number
  /** Samples a second of each channel. */
  sampleRate: number
  dataOffset: number
}

/**
 * Parses the header that ffmpeg writes before a stream of PCM samples (RIFF WAVE; sizes in a stream are unknown and ignored).
 * Returns undefined while `bytes` do not reach the samples yet.
 */
export function parseWavHeader(bytes: Buffer): WavHeader | undefined {
  if (bytes.length < 12) return undefined
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    throw new Error('ffmpeg did not write a WAV stream')
  }
  let [channelCount, sampleRate] = [0, 0]
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', offset, offset + 4)
    const sizeBytes = bytes.readUInt32LE(offset + 4)
    const body = offset + 8
    if (name === 'data') return { channelCount, sampleRate, dataOffset: body }
    if (name === 'fmt ' && body + 8 <= bytes.length) {
      channelCount = bytes.readUInt16LE(body + 2)
      sampleRate = bytes.readUInt32LE(body + 4)
    }
    offset = body + sizeBytes + (sizeBytes % 2)
  }
  return undefined
}
