import { open } from 'node:fs/promises'

import { AppError } from '#contract/app-error.ts'
import { atLevel, mix, noise, seededRandom, silence, testRate, wavHeader } from '#testing/audio.ts'
import { hasEspeak, speak } from '#testing/espeak.ts'

/** The utterances that each of the two speakers chooses from, at 16 kHz. */
export type CallVoices = [Float32Array[], Float32Array[]]

export interface CallOptions {
  minutes: number
  voices: CallVoices
  /** Level of the noise on both channels, dB of full scale. Default -50. */
  noiseDb?: number
  /** Level of each utterance. Default -20. */
  speechDb?: number
  /** How much of a voice reaches the other channel, 20 ms late. Default -30. */
  bleedDb?: number
  /** The same seed gives the same call. Default 1. */
  seed?: number
}

/** What was said where: the truth to compare a transcript with. */
export interface CallUtterance {
  channel: 0 | 1
  /** Index into the voice's utterances. */
  utterance: number
  startMs: number
  endMs: number
}

const bleedDelayMs = 20
const turnMs = { shortest: 5_000, longest: 15_000 }
const pauseMs = { shortest: 300, longest: 1_000 }

/**
 * Writes a generated telephone call as a stereo WAV file: the speakers take turns, so each channel is half silent, and its silence
 * holds noise and the faint voice of the other. Written turn by turn, so a long call needs no more memory than a short one.
 */
export async function writeCall(path: string, options: CallOptions): Promise<CallUtterance[]> {
  const { minutes, voices, noiseDb = -50, speechDb = -20, bleedDb = -30, seed = 1 } = options
  const random = seededRandom(seed)
  const wantedMs = minutes * 60_000
  const said: CallUtterance[] = []
  await using file = await open(path, 'w')
  const totalBytes = toSamples(wantedMs) * 4
  await file.write(wavHeader(totalBytes, 2))
  let atMs = 0
  for (let turn = 0; atMs < wantedMs; turn += 1) {
    const channel = turn % 2 === 0 ? 0 : 1
    const planned = planTurn(voices[channel], random)
    const durationMs = Math.min(planned.durationMs, wantedMs - atMs)
    const parts = planned.parts.filter((part) => part.endMs <= durationMs)
    await file.write(renderTurn(parts, { channel, durationMs, noiseDb, speechDb, bleedDb, seed: seed + 2 * turn }))
    for (const { utterance, startMs, endMs } of parts) {
      said.push({ channel, utterance, startMs: atMs + startMs, endMs: atMs + endMs })
    }
    atMs += durationMs
  }
  return said
}

interface TurnSound {
  channel: 0 | 1
  durationMs: number
  noiseDb: number
  speechDb: number
  bleedDb: number
  seed: number
}

/** One turn as interleaved samples: the voice on its own channel, its bleed on the other, noise on both. */
function renderTurn(parts: TurnPart[], turn: TurnSound): Buffer {
  const { durationMs, noiseDb: db, seed } = turn
  const spoken = parts.map(({ sound, startMs }) => ({ sound: atLevel(sound, turn.speechDb), atMs: startMs }))
  const bleed = spoken.map(({ sound, atMs }) => ({ sound, atMs: atMs + bleedDelayMs, gainDb: turn.bleedDb }))
  const own = mix(noise(durationMs, { db, seed }), spoken)
  const other = mix(noise(durationMs, { db, seed: seed + 1 }), bleed)
  return interleave(turn.channel === 0 ? [own, other] : [other, own])
}

interface TurnPart {
  utterance: number
  sound: Float32Array
  startMs: number
  endMs: number
}

/** Utterances with pauses between them, for as long as one speaker keeps the word. Whole milliseconds, so that turns join exactly. */
function planTurn(voice: Float32Array[], random: () => number): { parts: TurnPart[]; durationMs: number } {
  const between = ({ shortest, longest }: typeof turnMs) => Math.round(shortest + (longest - shortest) * random())
  const lengthMs = between(turnMs)
  const parts: TurnPart[] = []
  let atMs = between(pauseMs)
  while (atMs < lengthMs) {
    const utterance = Math.floor(random() * voice.length)
    const sound = voice[utterance] ?? silence(0)
    const endMs = atMs + Math.ceil((sound.length * 1000) / testRate)
    parts.push({ utterance, sound, startMs: atMs, endMs })
    atMs = endMs + between(pauseMs)
  }
  return { parts, durationMs: atMs }
}

function interleave([left, right]: [Float32Array, Float32Array]): Buffer {
  const bytes = Buffer.alloc(left.length * 4)
  for (const [at, sample] of left.entries()) {
    bytes.writeInt16LE(toInt16(sample), at * 4)
    bytes.writeInt16LE(toInt16(right[at] ?? 0), at * 4 + 2)
  }
  return bytes
}

function toInt16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
}

function toSamples(ms: number): number {
  return Math.round((ms * testRate) / 1000)
}

/** Sentences that the demo model knows. */
export const callSentences = [
  'hello my friend',
  'the meeting is at five today',
  'where is the money',
  'we will go to the market tomorrow',
  'my number is eight two five',
  'do not go to the bridge tonight',
  'my brother is ready tomorrow',
  'bring the book to the school',
  'thank you my friend',
  'i am happy tonight',
]

/** Two voices speaking those sentences. Fails with `unavailable` where espeak-ng is not installed. */
export async function speakCallVoices(): Promise<CallVoices> {
  if (!hasEspeak()) {
    throw new AppError('unavailable', 'The call cannot be generated: espeak-ng is not installed.', {
      help: 'Install it, for example with "apt-get install espeak-ng".',
    })
  }
  const voices: CallVoices = [[], []]
  for (const sentence of callSentences) {
    voices[0].push(await speak(sentence, { voice: 'en-us+m3', speed: 150 }))
    voices[1].push(await speak(sentence, { voice: 'en-gb+f2', speed: 165, pitch: 60 }))
  }
  return voices
}
