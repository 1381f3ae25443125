import { expect, test } from 'vitest'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '../models/catalog.ts'
import type { ChannelPlan } from './channel-plan.ts'
import { collectWarnings, scriptWarnings } from './warnings.ts'
import type { WindowResult } from './window-result.ts'

/** Returns a channel transcribed in Pashto, in which English was detected from 1:00 to 1:30. */
function makePlan(channel: 0 | 1): ChannelPlan {
  return {
    channel,
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    voices: null,
    languageChoice: 'auto',
    frames: new Float32Array(),
    spans: [{ startMs: 0, endMs: 120_000 }],
    otherSpans: [],
    bleed: [],
    language: 'ps',
    languageProbability: 0.9,
    otherLanguages: [{ language: 'en', startMs: 60_000, endMs: 90_000 }],
    windows: [],
  }
}

async function warningsOf(plans: ChannelPlan[], results: WindowResult[] = []) {
  const decoded = { warnings: [], isDualMono: false } as Partial<DecodedAudio> as DecodedAudio // all that is read here
  const model = await findSpeechModel('demo-speech')
  return collectWarnings({ decoded, plans, results, failed: [], model })
}

test('names the speaker and channel whose language changes', async () => {
  const [left, right] = await warningsOf([makePlan(0), makePlan(1)])
  expect(left).toEqual({
    code: 'language_changes',
    message: 'Speaker A seems to speak English from 1:00 to 1:30, but was transcribed in Pashto.',
    start: 60,
    end: 90,
    channel: 0,
  })
  expect(right).toMatchObject({ channel: 1, message: expect.stringMatching(/^Speaker B seems/) })
})

test('names no channel for a recording with one channel', async () => {
  const [warning] = await warningsOf([makePlan(0)])
  expect(warning).toEqual({
    code: 'language_changes',
    message: 'The speaker seems to speak English from 1:00 to 1:30, but was transcribed in Pashto.',
    start: 60,
    end: 90,
  })
})

test('names channel and time of a passage that was left out as bleed', async () => {
  const plan = { ...makePlan(0), otherLanguages: [] }
  const silent = { ...makePlan(1), otherLanguages: [], spans: [], bleed: [{ startMs: 61_200, endMs: 64_500 }] }
  expect(await warningsOf([plan, silent])).toEqual([
    {
      code: 'bleed',
      message:
        'The right channel holds only the voice of the left channel (bleed) from 1:01 to 1:05, which was left out.',
      start: 61.2,
      end: 64.5,
      channel: 1,
    },
  ])
})

/** Returns a window without words and with loops at `gaps`, overridden by `changes`. */
function makeResult(gaps: WindowResult['gaps'], changes: Partial<WindowResult> = {}): WindowResult {
  const place = { key: 'one', channel: 0, index: 0, language: 'ps', languageProbability: null }
  return {
    ...place,
    lines: [],
    gaps,
    notUnderstood: [],
    impossible: [],
    utterances: [],
    promptedWords: [],
    engines: [],
    ...changes,
  }
}

test('names each passage of speech without words, unless the whole recording has none', async () => {
  const plan = { ...makePlan(0), otherLanguages: [] }
  const notUnderstood = [{ startMs: 61_250, endMs: 64_500 }]
  const line = { startMs: 0, endMs: 900, text: 'سلام', confidence: 0.9, words: [] }
  expect(await warningsOf([plan], [makeResult([], { notUnderstood, lines: [line] })])).toEqual([
    {
      code: 'not_understood',
      message: 'The passage from 1:01 to 1:05 has a voice, but no words were understood.',
      start: 61.25,
      end: 64.5,
    },
  ])
  expect(await warningsOf([plan], [makeResult([], { notUnderstood })])).toMatchObject([{ code: 'no_words' }])
})

test('names the whole seconds around a passage shorter than one', async () => {
  const plan = { ...makePlan(0), otherLanguages: [] }
  const line = { startMs: 0, endMs: 900, text: 'سلام', confidence: 0.9, words: [] }
  const notUnderstood = [{ startMs: 38_100, endMs: 38_800 }]
  expect(await warningsOf([plan], [makeResult([], { notUnderstood, lines: [line] })])).toMatchObject([
    { message: 'The passage from 0:38 to 0:39 has a voice, but no words were understood.' },
  ])
})

test('names the text that was left out because nobody could say it in its time', async () => {
  const plans = [0, 1].map((channel) => ({ ...makePlan(channel === 0 ? 0 : 1), otherLanguages: [] }))
  const impossible = [{ startMs: 235_820, endMs: 235_820, text: 'And they followed them.' }]
  const line = { startMs: 0, endMs: 900, text: 'Yes.', confidence: 0.9, words: [] }
  expect(await warningsOf(plans, [makeResult([], { channel: 1, impossible, lines: [line] })])).toEqual([
    {
      code: 'impossible_text',
      message: '“And they followed them.” of Speaker B at 3:55 was left out: it is too long for the time it has.',
      start: 235.82,
      end: 235.82,
      channel: 1,
    },
  ])
})

test('warns of speech in which no word was understood', async () => {
  const plan = { ...makePlan(0), otherLanguages: [] }
  expect(await warningsOf([plan], [makeResult([])])).toMatchObject([{ code: 'no_words' }])
})

test.each([
  ['wrote the text', null, true, ['demo_model']],
  ['detected the language', 0.9, false, ['demo_model']],
  ['did neither', null, false, []],
])('warns of the demo model if it %s', async (_, languageProbability, isDemo, codes) => {
  const model = { ...(await findSpeechModel('demo-speech')), isDemo }
  const window = { pieces: [], durationMs: 0 }
  const planned = { channel: 0 as const, index: 0, key: 'one', window, language: 'ps', languageProbability, model }
  const plan = { ...makePlan(0), otherLanguages: [], windows: [planned] }
  expect((await warningsOf([plan])).map(({ code }) => code)).toEqual(codes)
})

test('names the exact time of a dropped repetition loop', async () => {
  const plan = { ...makePlan(0), otherLanguages: [] }
  expect(await warningsOf([plan], [makeResult([{ startMs: 61_250, endMs: 64_500 }])])).toEqual([
    {
      code: 'repetition',
      message: 'The passage from 1:01 to 1:05 was not understood: the model only repeated itself.',
      start: 61.25,
      end: 64.5,
    },
  ])
})

test('names the channel or nobody if several voices share a channel', async () => {
  const voices = { turns: [], voiceCount: 2, band: 'telephone' } as const
  const shared = { ...makePlan(0), voices: { ...voices, turns: [] } }
  const [alone] = await warningsOf([shared])
  expect(alone?.message).toMatch(/^Somebody seems to speak English/)
  const [left] = await warningsOf([shared, { ...makePlan(1), otherLanguages: [] }])
  expect(left?.message).toMatch(/^Somebody in the left channel seems/)
})

test('warns once of a channel in the wrong script, however many voices it has', () => {
  const voice = (label: string, channel: number) => ({
    speaker: label,
    channel,
    transcription: 'zama wror nan ghosa day',
    segment_count: 1,
    detected_language: 'ps',
    language_probability: 0.9,
    segments: [],
  })
  const mono = scriptWarnings({ speaker_transcriptions: [voice('Speaker A', 0), voice('Speaker B', 0)] })
  expect(mono.map(({ message }) => message)).toEqual([expect.stringMatching(/^The transcript should be Pashto/)])
  const speakers = [voice('Speaker A', 0), voice('Speaker B', 1), voice('Speaker C', 0)]
  expect(scriptWarnings({ speaker_transcriptions: speakers }).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The transcript of Speaker A and Speaker C should/),
    expect.stringMatching(/^The transcript of Speaker B should/),
  ])
})
