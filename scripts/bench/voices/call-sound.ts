import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atLevel, noise, testRate, writeWav } from '#testing/audio.ts'
import { realDataDir } from '#testing/real-data.ts'
import { planCall } from './call-plan.ts'
import { readSamples } from './clips.ts'
import type { Clip } from './clips.ts'
import { findVoice, findVoiceStretches, halveRate, toTelephoneBand } from './telephone.ts'
import type { VoiceSpan } from './telephone.ts'
import type { ReferenceUtterance } from './reference.ts'

/** Sample rate of telephone audio. */
const callRate = 8000
/** Audio of a clip that is kept on both sides of its voice, faded so that no voice begins with a click. */
const marginMs = 60
/** A pause of this length does not count as voice. */
const pauseMs = 300
const levels = { speechDb: [-21, -24], roomDb: -45, hissDb: -62 } as const
/** The rooms of the two speakers. */
const rooms = ['asc_boiler.flac', 'sc_exercise_bike.flac'] as const

export interface BuiltCall {
  /** Stereo, and each channel by itself, for recognizers that take mono only. */
  path: string
  channelPaths: [string, string]
  minutes: number
  utterances: ReferenceUtterance[]
}

export interface BuildCallOptions {
  /** The file's name without extension. */
  name: string
  folder: string
  clips: readonly Clip[]
  minutes: number
  silentMinutes?: number
  seed?: number
}

interface Voice {
  text: string
  /** 8 kHz, with margins. */
  sound: Float32Array
  voiceMs: number
  /** Relative to the beginning of the voice. */
  voiced: VoiceSpan[]
}

/**
 * Writes a synthetic telephone call of two channels from real recordings, every second clip for each speaker, and its reference as JSON: 300
 * to 3400 Hz, 8 kHz, room noise on both sides, turns, pauses and overlaps as planned by call-plan.ts.
 */
export async function buildCall(options: BuildCallOptions): Promise<BuiltCall> {
  const { name, folder, clips, minutes, silentMinutes, seed = 1 } = options
  const voices = [await prepareVoices(clips, 0), await prepareVoices(clips, 1)] as const
  const planned = planCall({
    minutes,
    silentMinutes,
    seed,
    voiceMs: [voices[0].map(({ voiceMs }) => voiceMs), voices[1].map(({ voiceMs }) => voiceMs)],
  })
  const channels = [await makeRoom(minutes, 0), await makeRoom(minutes, 1)] as const
  const utterances: ReferenceUtterance[] = []
  for (const { channel, voice, startMs, endMs } of planned) {
    const spoken = voices[channel][voice]
    if (!spoken) continue
    add(channels[channel], spoken.sound, toSamples(startMs - marginMs))
    const voiced = spoken.voiced.map((part) => ({ startMs: startMs + part.startMs, endMs: startMs + part.endMs }))
    utterances.push({ channel, text: spoken.text, startMs, endMs, voiced })
  }
  const path = join(folder, `${name}.wav`)
  const channelPaths: [string, string] = [join(folder, `${name}-a.wav`), join(folder, `${name}-b.wav`)]
  await writeWav(path, [...channels], callRate)
  await writeWav(channelPaths[0], [channels[0]], callRate)
  await writeWav(channelPaths[1], [channels[1]], callRate)
  await writeFile(join(folder, `${name}-reference.json`), JSON.stringify(utterances, null, 1))
  return { path, channelPaths, minutes, utterances }
}

async function prepareVoices(clips: readonly Clip[], channel: 0 | 1): Promise<Voice[]> {
  const voices: Voice[] = []
  for (const { path, transcript } of clips.filter((_, index) => index % 2 === channel)) {
    const samples = toTelephoneBand(await readSamples(path))
    const { startMs, endMs } = findVoice(samples)
    const gain = gainTo(samples.subarray(at16(startMs), at16(endMs)), levels.speechDb[channel])
    const padded = cutWithMargin(samples, { startMs, endMs }).map((sample) => sample * gain)
    const voiced = findVoiceStretches(samples, { joinMs: pauseMs }).map((part) => ({
      startMs: part.startMs - startMs,
      endMs: part.endMs - startMs,
    }))
    voices.push({ text: transcript, sound: halveRate(padded), voiceMs: endMs - startMs, voiced })
  }
  return voices
}

/** The voice with its margins, silent where the clip begins or ends earlier, faded in and out over them. */
function cutWithMargin(samples: Float32Array, { startMs, endMs }: { startMs: number; endMs: number }): Float32Array {
  const first = at16(startMs - marginMs)
  const length = at16(endMs + marginMs) - first
  const fade = at16(marginMs)
  return Float32Array.from({ length }, (_, at) => {
    const gain = Math.min(1, at / fade, (length - 1 - at) / fade)
    return (samples[first + at] ?? 0) * gain
  })
}

/** A real room's noise, repeated, with a hiss over it. */
async function makeRoom(minutes: number, channel: 0 | 1): Promise<Float32Array> {
  const room = halveRate(
    atLevel(toTelephoneBand(await readSamples(join(realDataDir, 'noise', rooms[channel]))), levels.roomDb),
  )
  const hiss = halveRate(toTelephoneBand(noise(10_000, { db: levels.hissDb, seed: 11 + channel })))
  return Float32Array.from(
    { length: minutes * 60 * callRate },
    (_, at) => (room[at % room.length] ?? 0) + (hiss[at % hiss.length] ?? 0),
  )
}

function add(target: Float32Array, sound: Float32Array, start: number): void {
  for (const [at, sample] of sound.entries()) {
    const place = start + at
    if (place >= 0 && place < target.length) target[place] = (target[place] ?? 0) + sample
  }
}

/** The factor that brings the voice itself, without its margins, to a level. */
function gainTo(voice: Float32Array, db: number): number {
  const rms = Math.sqrt(voice.reduce((sum, sample) => sum + sample * sample, 0) / voice.length)
  return 10 ** (db / 20) / Math.max(rms, 1e-9)
}

function toSamples(ms: number): number {
  return Math.round((ms * callRate) / 1000)
}

function at16(ms: number): number {
  return Math.round((ms * testRate) / 1000)
}
