import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atLevel, mix, noise, silence, sine, testRate } from '#testing/audio.ts'
import { realDataDir } from '#testing/real-data.ts'

/** A sound without speech. */
export interface Sound {
  name: string
  /** A recording, or samples at 16 kHz. */
  source: string | Float32Array
}

const lengthMs = 30_000

/** Returns recordings of rooms and music, and telephone tones (ITU-T E.180 and E.182, and North American). */
export async function listSounds(): Promise<Sound[]> {
  const folder = join(realDataDir, 'noise')
  const recordings = (await readdir(folder)).filter((name) => name.endsWith('.flac')).toSorted()
  return [
    ...recordings.map((name) => ({ name: name.replace('.flac', ''), source: join(folder, name) })),
    { name: 'silence', source: silence(lengthMs) },
    { name: 'white noise, -30 dB', source: noise(lengthMs, { db: -30 }) },
    { name: 'white noise, -50 dB', source: noise(lengthMs, { db: -50 }) },
    { name: 'pink noise, -30 dB', source: pinkNoise(-30) },
    { name: 'ringing', source: interrupted([440, 480], { onMs: 2000, offMs: 4000 }) },
    { name: 'busy', source: interrupted([480, 620], { onMs: 500, offMs: 500 }) },
    { name: 'dial tone', source: interrupted([350, 440], { onMs: lengthMs, offMs: 0 }) },
    { name: 'dialling', source: dialling() },
    { name: 'hold music', source: holdMusic() },
  ]
}

/** White noise through Paul Kellet's filter: -3 dB per octave. */
function pinkNoise(db: number): Float32Array {
  let [slow, middle, fast] = [0, 0, 0]
  const pink = noise(lengthMs, { db: -20, seed: 3 }).map((white) => {
    slow = 0.997_65 * slow + white * 0.099_046
    middle = 0.963 * middle + white * 0.296_516_4
    fast = 0.57 * fast + white * 1.052_691_3
    return slow + middle + fast + white * 0.1848
  })
  return atLevel(pink, db)
}

function interrupted(hz: [number, number], { onMs, offMs }: { onMs: number; offMs: number }): Float32Array {
  const tone = mix(sine(onMs, { hz: hz[0], db: -20 }), [{ sound: sine(onMs, { hz: hz[1], db: -20 }) }])
  const count = Math.floor(lengthMs / (onMs + offMs))
  return mix(
    silence(lengthMs),
    Array.from({ length: count }, (_, index) => ({ sound: tone, atMs: index * (onMs + offMs) })),
  )
}

/** A number dialed repeatedly, in the tones of ITU-T Q.23. */
function dialling(): Float32Array {
  const [low, high] = [
    [697, 770, 852, 941],
    [1209, 1336, 1477],
  ]
  const keys = [0, 7, 10, 3, 5, 2, 8, 1, 9, 4]
  const digits = Array.from({ length: 100 }, (_, index) => {
    const key = keys[index % keys.length] ?? 0
    const tone = sine(100, { hz: low?.[key % 4] ?? 0, db: -20 })
    return { sound: mix(tone, [{ sound: sine(100, { hz: high?.[key % 3] ?? 0, db: -20 }) }]), atMs: index * 300 }
  })
  return mix(silence(lengthMs), digits)
}

/** Plucked chords over a bass. */
function holdMusic(): Float32Array {
  const roots = [220, 174.61, 261.63, 196]
  const notes = Array.from({ length: 60 }, (_, index) => {
    const root = roots[Math.floor(index / 4) % roots.length] ?? 220
    const chord = [root / 2, root, root * 1.25, root * 1.5, root * (index % 2 === 0 ? 2 : 2.5)]
    return chord.map((hz) => ({ sound: plucked(hz), atMs: index * 500 }))
  })
  return atLevel(mix(silence(lengthMs), notes.flat()), -25)
}

function plucked(hz: number): Float32Array {
  const overtones = [1, 2, 3, 4].map((times) => ({ sound: sine(900, { hz: hz * times, db: -20 - 6 * times }) }))
  return mix(silence(900), overtones).map((sample, at) => sample * Math.exp((-4 * at) / testRate))
}
