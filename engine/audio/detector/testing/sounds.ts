import { readFile } from 'node:fs/promises'
import { mix, silence, sine } from '#testing/audio.ts'
import type { DecodedAudio } from '../../decoded-audio.ts'

/** Telephone tones and other sounds that are not speech; each lasts `durationMs`. */
export const nonSpeechSounds: Record<string, (durationMs: number) => Float32Array> = {
  'a ringing tone': (durationMs) => repeat(chord(2000, [440, 480], -20), 6000, durationMs),
  'a busy tone': (durationMs) => repeat(chord(500, [480, 620], -20), 1000, durationMs),
  'dialled digits': dialledDigits,
  'mains hum': (durationMs) => chord(durationMs, [50, 100, 150, 250], -25),
  chords: chords,
}

/** Mixes several tones, each at the level `db`. */
function chord(durationMs: number, tones: number[], db: number): Float32Array {
  const sounds = tones.map((hz) => ({ sound: sine(durationMs, { hz, db }) }))
  return mix(silence(durationMs), sounds)
}

function repeat(sound: Float32Array, everyMs: number, durationMs: number): Float32Array {
  const count = Math.floor(durationMs / everyMs)
  return mix(
    silence(durationMs),
    Array.from({ length: count }, (_, index) => ({ sound, atMs: index * everyMs })),
  )
}

function dialledDigits(durationMs: number): Float32Array {
  const [low, high] = [
    [697, 770, 852, 941],
    [1209, 1336, 1477],
  ]
  const digits = Array.from({ length: Math.floor(durationMs / 250) }, (_, index) => ({
    sound: chord(120, [low[index % 4] ?? 697, high[index % 3] ?? 1209], -20),
    atMs: index * 250,
  }))
  return mix(silence(durationMs), digits)
}

/** Repeats four chords of plucked strings. */
function chords(durationMs: number): Float32Array {
  const triads = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ]
  const notes = Array.from({ length: Math.floor(durationMs / 600) }, (_, index) => {
    const overtones = (triads[index % 4] ?? []).flatMap((hz) => [hz, 2 * hz, 3 * hz])
    const sound = chord(600, overtones, -28).map((sample, at) => sample * Math.exp(-at / 3200))
    return { sound, atMs: index * 600 }
  })
  return mix(silence(durationMs), notes)
}

/** Reads the samples of one channel, -1 to 1. */
export async function readChannel({ pcmPath, channelCount }: DecodedAudio, channel: number): Promise<Float32Array> {
  const bytes = await readFile(pcmPath)
  const at = (index: number) => bytes.readInt16LE((index * channelCount + channel) * 2) / 32_768
  return Float32Array.from({ length: Math.floor(bytes.length / 2 / channelCount) }, (_, index) => at(index))
}
