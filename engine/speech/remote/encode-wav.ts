import { sampleRate } from '#engine/audio/decoded-audio.ts'

const headerBytes = 44
/** OpenAI rejects less than a tenth of a second, and Whisper recognizes little in less than one second. */
const minSeconds = 1

/** Encodes a mono WAV file of 16-bit samples, padded with silence to at least one second. NaN and infinities become 0. */
export function encodeWav(samples: Float32Array): Buffer<ArrayBuffer> {
  const dataBytes = Math.max(samples.length, minSeconds * sampleRate) * 2
  const file = Buffer.alloc(headerBytes + dataBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  for (const [index, sample] of samples.entries()) {
    const value = Number.isFinite(sample) ? Math.round(sample * 32_768) : 0
    file.writeInt16LE(Math.max(-32_768, Math.min(32_767, value)), headerBytes + index * 2)
  }
  return file
}
