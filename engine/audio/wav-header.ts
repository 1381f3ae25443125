export interface WavHeader {
  channelCount: number
  /** Samples per second in each channel. */
  sampleRate: number
  dataOffset: number
  /** As declared in the header; for a stream, 0 or more than it holds. */
  dataBytes: number
}

/**
 * Parses the RIFF WAVE header of PCM samples, from a file or from a stream that ffmpeg writes. Returns undefined while `bytes` do not
 * reach the samples yet; throws if they are not a WAV.
 */
export function parseWavHeader(bytes: Buffer): WavHeader | undefined {
  if (bytes.length < 12) return undefined
  if (!isWav(bytes)) throw new Error('ffmpeg did not write a WAV stream')
  let [channelCount, sampleRate] = [0, 0]
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', offset, offset + 4)
    const sizeBytes = bytes.readUInt32LE(offset + 4)
    const body = offset + 8
    if (name === 'data') return { channelCount, sampleRate, dataOffset: body, dataBytes: sizeBytes }
    if (name === 'fmt ' && body + 8 <= bytes.length) {
      channelCount = bytes.readUInt16LE(body + 2)
      sampleRate = bytes.readUInt32LE(body + 4)
    }
    offset = body + sizeBytes + (sizeBytes % 2)
  }
  return undefined
}

/** Whether the bytes begin like a WAV file. */
export function isWav(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE'
}
