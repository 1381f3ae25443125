import { writeFile } from 'node:fs/promises'

/** The sample rate of all arrays in this module. */
export const testRate = 16_000

/** Writes channels of equal length, -1 to 1, as a 16-bit WAV file. */
export async function writeWav(path: string, channels: Float32Array[], rate = testRate): Promise<void> {
  const count = Math.max(0, ...channels.map((channel) => channel.length))
  const data = Buffer.alloc(count * channels.length * 2)
  for (const [index, channel] of channels.entries()) {
    for (const [at, sample] of channel.entries()) {
      const value = Math.round(Math.max(-1, Math.min(1, sample)) * 32767)
      data.writeInt16LE(value, (at * channels.length + index) * 2)
    }
  }
  await writeFile(path, Buffer.concat([wavHeader(data.length, channels.length, rate), data]))
}

/** Returns the header of a 16-bit WAV file with `dataBytes` of samples. */
export function wavHeader(dataBytes: number, channelCount: number, rate = testRate): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channelCount, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channelCount * 2, 28)
  header.writeUInt16LE(channelCount * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

export function silence(durationMs: number): Float32Array {
  return new Float32Array(Math.round((durationMs * testRate) / 1000))
}

/** Returns a sine of the given RMS level in dB of full scale (the loudest sine is -3). */
export function sine(durationMs: number, { hz = 440, db = -20 } = {}): Float32Array {
  const amplitude = toAmplitude(db) * Math.SQRT2
  return silence(durationMs).map((_, at) => amplitude * Math.sin((2 * Math.PI * hz * at) / testRate))
}

/** Returns white noise of the given RMS level, the same for the same seed. */
export function noise(durationMs: number, { db = -50, seed = 1 } = {}): Float32Array {
  const random = seededRandom(seed)
  // A uniform distribution from -1 to 1 has an RMS of 1 / sqrt(3).
  const amplitude = toAmplitude(db) * Math.sqrt(3)
  return silence(durationMs).map(() => amplitude * (2 * random() - 1))
}

/** Returns `base` with each sound added at its time and gain, cut at the end of `base`. */
export function mix(
  base: Float32Array,
  sounds: { sound: Float32Array; atMs?: number; gainDb?: number }[],
): Float32Array {
  const mixed = base.slice()
  for (const { sound, atMs = 0, gainDb = 0 } of sounds) {
    const start = Math.round((atMs * testRate) / 1000)
    const gain = toAmplitude(gainDb)
    const count = Math.min(sound.length, mixed.length - start)
    for (let at = 0; at < count; at += 1) mixed[start + at] = (mixed[start + at] ?? 0) + gain * (sound[at] ?? 0)
  }
  return mixed
}

/** Returns the sound scaled to an RMS level in dB of full scale. */
export function atLevel(sound: Float32Array, db: number): Float32Array {
  const gain = toAmplitude(db) / Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length)
  return sound.map((sample) => sample * gain)
}

/** Creates a generator of numbers from 0 to 1 (mulberry32) that returns the same sequence in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

function toAmplitude(db: number): number {
  return 10 ** (db / 20)
}

/** Returns the stretches of 20 ms frames (DecodedAudio.frames) above -40 dB, joined across pauses shorter than 200 ms. */
export function loudStretches(frames: Float32Array): { startMs: number; endMs: number }[] {
  const stretches: { startMs: number; endMs: number }[] = []
  for (const [frame, level] of frames.entries()) {
    if (level < toAmplitude(-40)) continue
    const last = stretches.at(-1)
    if (last && frame * 20 - last.endMs < 200) last.endMs = (frame + 1) * 20
    else stretches.push({ startMs: frame * 20, endMs: (frame + 1) * 20 })
  }
  return stretches
}
