import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { decodeAudio } from '#engine/audio/decode.ts'
import { detectSpeech } from '#engine/audio/speech-detector.ts'
import { sine } from '#testing/audio.ts'
import { hasEspeak, speak } from '#testing/espeak.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { speakCallVoices, writeCall } from './call-audio.ts'
import type { CallOptions, CallVoices } from './call-audio.ts'

/** Sounds that begin and end at once, of 0.2 to 2 s. */
const tones: CallVoices = [
  [sine(200, { hz: 300 }), sine(900, { hz: 500 })],
  [sine(400, { hz: 600 }), sine(1400, { hz: 900 })],
]

async function generate(options: CallOptions) {
  const workDir = await temporaryFolder()
  const path = join(workDir, 'call.wav')
  const said = await writeCall(path, options)
  const { frames, durationMs } = await decodeAudio(path, { workDir })
  const heard = [0, 1].map((channel) => {
    const own = frames[channel] ?? new Float32Array()
    return detectSpeech(own, { other: frames[1 - channel] })
  })
  return { said, heard, durationMs }
}

test('a generated call holds each utterance where it says, and the detector finds those and nothing else', async () => {
  const { said, heard, durationMs } = await generate({ minutes: 2, voices: tones })
  expect(durationMs).toBe(120_000)
  for (const [channel, spans] of heard.entries()) {
    const truth = said.filter((utterance) => utterance.channel === channel)
    expect(spans.length).toBe(truth.length)
    for (const [index, { startMs, endMs }] of spans.entries()) {
      expect(Math.abs(startMs - (truth[index]?.startMs ?? 0))).toBeLessThanOrEqual(50)
      expect(Math.abs(endMs - (truth[index]?.endMs ?? 0))).toBeLessThanOrEqual(50)
    }
    const speechMs = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    expect(speechMs / durationMs).toBeGreaterThan(0.15)
    expect(speechMs / durationMs).toBeLessThan(0.5)
  }
})

test('the same seed gives the same call, another seed another', async () => {
  const path = join(await temporaryFolder(), 'call.wav')
  const first = await writeCall(path, { minutes: 1, voices: tones, seed: 7 })
  expect(await writeCall(path, { minutes: 1, voices: tones, seed: 7 })).toEqual(first)
  expect(await writeCall(path, { minutes: 1, voices: tones, seed: 8 })).not.toEqual(first)
})

// A voice's weak sounds near its noise floor: what tones cannot show. The CI machine always has espeak-ng.
describe.skipIf(!hasEspeak() && !process.env.CI)(
  'every spoken sentence is one span, and nothing else is speech:',
  () => {
    let voices: CallVoices
    beforeAll(async () => {
      voices = await speakCallVoices()
    })

    test('in the languages whose weak consonants make it hardest, digit by digit', async () => {
      const arabic = ['ثلاثة صفر تسعة', 'رقمي عشرة سبعة سبعة', 'سنذهب إلى المدرسة', 'سبعة ثلاثة']
      const persian = ['صفر پنج دو شش', 'شماره من هفت هشت سه']
      const hard: CallVoices = [
        await Promise.all(arabic.map((text) => speak(text, { voice: 'ar+m4', speed: 140 }))),
        await Promise.all(persian.map((text) => speak(text, { voice: 'fa+f3', speed: 140 }))),
      ]
      const { said, heard } = await generate({ minutes: 2, voices: hard })
      expect(heard.flat().length).toBe(said.length)
    })

    test.each([
      ['a common call', { speechDb: -20, bleedDb: -30, noiseDb: -50 }, 50],
      ['strong bleed', { speechDb: -20, bleedDb: -14, noiseDb: -60 }, 50],
      // The first consonant of a quiet voice is weaker than the noise.
      ['quiet voices', { speechDb: -35, bleedDb: -30, noiseDb: -55 }, 100],
    ])('%s', async (_, levels, startErrorMs) => {
      const { said, heard } = await generate({ minutes: 2, voices, ...levels })
      for (const [channel, spans] of heard.entries()) {
        const truth = said.filter((utterance) => utterance.channel === channel)
        const overlapping = truth.map((utterance) =>
          spans.filter(({ startMs, endMs }) => startMs < utterance.endMs && endMs > utterance.startMs),
        )
        expect(overlapping.map(({ length }) => length)).toEqual(truth.map(() => 1))
        expect(spans.length).toBe(truth.length)
        const errorsMs = overlapping.map(([span], index) =>
          Math.abs((span?.startMs ?? 0) - (truth[index]?.startMs ?? 0)),
        )
        expect(Math.max(...errorsMs)).toBeLessThanOrEqual(startErrorMs)
      }
    })
  },
)
