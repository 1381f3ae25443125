import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { atLevel, noise, seededRandom, testRate, writeWav } from '#testing/audio.ts'
import { realDataDir } from '#testing/real-data.ts'
import { readSamples } from './clips.ts'
import type { VoiceStretch } from './diarization-error.ts'
import { planMonoCall } from './mono-plan.ts'
import { findVoiceStretches, halveRate, toTelephoneBand } from './telephone.ts'

/** The pause that ends a stretch of speech in NIST's evaluations. */
const pauseMs = 300
const callRate = 8000
/** Audio kept around each phrase, faded in and out. */
const marginMs = 60
const levels = { loudestDb: -20, quietestDb: -27, roomDb: -50, hissDb: -65 }

/** A reader's phrases, limited to the telephone band, at 8 kHz. */
export interface Reader {
  name: string
  phrases: { sound: Float32Array; ms: number; pauseMs?: number }[]
}

export interface MonoCall {
  path: string
  seconds: number
  voiceCount: number
  reference: VoiceStretch[]
}

/** Reads the clips of real-data/speakers, band-limited as by a telephone and cut at pauses determined by level. */
export async function readReaders(): Promise<Reader[]> {
  const folder = join(realDataDir, 'speakers')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.flac')).toSorted()
  const names = [...new Set(files.map((file) => file.split('-')[0] ?? file))]
  const readers: Reader[] = []
  for (const name of names) {
    const reader: Reader = { name, phrases: [] }
    for (const file of files.filter((other) => other.startsWith(`${name}-`))) {
      const samples = toTelephoneBand(await readSamples(join(folder, file)))
      const stretches = findVoiceStretches(samples, { joinMs: pauseMs })
      for (const [index, { startMs, endMs }] of stretches.entries()) {
        const following = stretches[index + 1]
        const sound = cutFaded(samples, startMs, endMs)
        reader.phrases.push({
          sound,
          ms: endMs - startMs,
          ...(following && { pauseMs: following.startMs - endMs }),
        })
      }
    }
    readers.push(reader)
  }
  return readers
}

export interface MonoCallOptions {
  readers: readonly Reader[]
  room: Float32Array
  voiceCount: number
  minutes: number
  seed: number
  /** Without extension. */
  path: string
}

/**
 * Writes a single-channel call: 300 to 3400 Hz, 8 kHz, µ-law, voices at different levels, room noise, overlapping speech. The same seed
 * gives the same call. Its reference is determined by level: passages between pauses of 300 ms.
 */
export async function buildMonoCall(options: MonoCallOptions): Promise<MonoCall> {
  const { readers, voiceCount, minutes, seed, path, room } = options
  const random = seededRandom(seed * 7919)
  const chosen = [...readers]
    .map((reader) => ({ reader, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, voiceCount)
    .map(({ reader }) => ({
      reader,
      gain: gainTo(reader, levels.quietestDb + (levels.loudestDb - levels.quietestDb) * random()),
    }))
  const planned = planMonoCall({ minutes, seed, phrases: chosen.map(({ reader }) => reader.phrases) })
  const hiss = halveRate(toTelephoneBand(noise(10_000, { db: levels.hissDb, seed })))
  const samples = Float32Array.from(
    { length: minutes * 60 * callRate },
    (_, at) => (room[at % room.length] ?? 0) + (hiss[at % hiss.length] ?? 0),
  )
  for (const { voice, phrase, startMs } of planned) {
    const { reader, gain = 0 } = chosen[voice] ?? {}
    const start = Math.round(((startMs - marginMs) * callRate) / 1000)
    for (const [at, sample] of (reader?.phrases[phrase]?.sound ?? []).entries()) {
      samples[start + at] = (samples[start + at] ?? 0) + gain * sample
    }
  }
  await writeWav(`${path}.wav`, [samples.map(throughMuLaw)], callRate)
  const reference = planned.map(({ voice, startMs, endMs }) => ({
    startMs,
    endMs,
    voice: chosen[voice]?.reader.name ?? '',
  }))
  return { path: `${path}.wav`, seconds: minutes * 60, voiceCount, reference: joinPhrases(reference) }
}

/** Reads the noise of a real room, limited to the telephone band. */
export async function readRoom(): Promise<Float32Array> {
  const samples = await readSamples(join(realDataDir, 'noise', 'asc_boiler.flac'))
  return halveRate(atLevel(toTelephoneBand(samples), levels.roomDb))
}

/** Joins phrases of one voice that are separated by less than a pause. */
function joinPhrases(phrases: VoiceStretch[]): VoiceStretch[] {
  const joined: VoiceStretch[] = []
  for (const phrase of phrases) {
    const last = joined.findLast(({ voice }) => voice === phrase.voice)
    if (last && phrase.startMs - last.endMs < pauseMs) last.endMs = phrase.endMs
    else joined.push({ ...phrase })
  }
  return joined
}

function cutFaded(samples: Float32Array, startMs: number, endMs: number): Float32Array {
  const first = Math.round(((startMs - marginMs) * testRate) / 1000)
  const length = Math.round(((endMs - startMs + 2 * marginMs) * testRate) / 1000)
  const fade = (marginMs * testRate) / 1000
  const faded = Float32Array.from(
    { length },
    (_, at) => (samples[first + at] ?? 0) * Math.min(1, at / fade, (length - 1 - at) / fade),
  )
  return halveRate(faded)
}

function gainTo({ phrases }: Reader, db: number): number {
  let [energy, count] = [0, 0]
  for (const { sound } of phrases) {
    for (const sample of sound) energy += sample * sample
    count += sound.length
  }
  return 10 ** (db / 20) / Math.sqrt(energy / count)
}

/** Returns a sample after µ-law companding (ITU-T G.711, by its formula): 255 steps, closer together at low levels. */
function throughMuLaw(sample: number): number {
  const mu = 255
  const clipped = Math.max(-1, Math.min(1, sample))
  const pressed = Math.sign(clipped) * (Math.log1p(mu * Math.abs(clipped)) / Math.log1p(mu))
  const stepped = Math.round(pressed * 127) / 127
  return (Math.sign(stepped) * Math.expm1(Math.abs(stepped) * Math.log1p(mu))) / mu
}
