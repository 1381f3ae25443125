export interface WavHeader {
  channelCount: number
  /** Samples a second of each channel. */
  sampleRate: number
  dataOffset: number
  /** As the header gives it; of a stream, 0 or more than it has. */
  dataBytes: number
}

/**
 * Parses the header before PCM samples (RIFF WAVE), of a file or of a stream that ffmpeg writes. Returns undefined while `bytes` do not reach
 * the samples yet; throws where they are no WAV.
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

/** Whether bytes begin as a WAV file does. */
export function isWav(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE'
}
