import { expect, test } from 'vitest'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '../models/catalog.ts'
import type { ChannelPlan } from './channel-plan.ts'
import { collectWarnings } from './warnings.ts'

/** A channel transcribed in Pashto, in which English was heard from 1:00 to 1:30. */
function makePlan(channel: 0 | 1): ChannelPlan {
  return {
    channel,
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    languageChoice: 'auto',
    frames: new Float32Array(),
    spans: [{ startMs: 0, endMs: 120_000 }],
    otherSpans: [],
    language: 'ps',
    languageProbability: 0.9,
    otherLanguages: [{ language: 'en', startMs: 60_000, endMs: 90_000 }],
    windows: [],
  }
}

async function warningsOf(plans: ChannelPlan[]) {
  const decoded = { warnings: [], isDualMono: false } as Partial<DecodedAudio> as DecodedAudio // all that is read here
  const model = await findSpeechModel('demo-speech')
  return collectWarnings({ decoded, plans, results: [], failed: [], model })
}

test('tells the speaker and channel whose language changes', async () => {
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

test('of a recording of one voice it tells no channel', async () => {
  const [warning] = await warningsOf([makePlan(0)])
  expect(warning).toEqual({
    code: 'language_changes',
    message: 'The speaker seems to speak English from 1:00 to 1:30, but was transcribed in Pashto.',
    start: 60,
    end: 90,
  })
})
