import { expect, test } from 'vitest'
import type { Channel } from './channel-plan.ts'
import { labelVoices, type VoiceReference } from './speaker-labels.ts'

/** Returns a channel whose voices each speak for the given number of seconds; by default a channel with one voice. */
function makeChannel(channel: 0 | 1, secondsOfVoices: number[] = []): Channel {
  const turns = secondsOfVoices.map((seconds, voice) => ({
    voice,
    startMs: voice * 60_000,
    endMs: voice * 60_000 + seconds * 1000,
  }))
  return {
    channel,
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    voices: turns.length > 0 ? { turns, voiceCount: turns.length, band: 'telephone' } : null,
    languageChoice: 'ps',
    frames: new Float32Array(),
    spans: [],
    otherSpans: [],
    bleed: [],
  }
}

function labelsOf(channels: Channel[], lines: VoiceReference[]) {
  const voices = labelVoices(channels, lines)
  return {
    labels: voices.map(({ label }) => label),
    lines: lines.map((line) => voices.find(({ isSpeakerOf }) => isSpeakerOf(line))?.label),
  }
}

test('voices of one channel are labelled in the order of their first lines', () => {
  const lines = [2, 0, 2, 1].map((voice): VoiceReference => ({ channel: 0, voice }))
  expect(labelsOf([makeChannel(0, [9, 9, 9])], lines)).toEqual({
    labels: ['Speaker A', 'Speaker B', 'Speaker C'],
    lines: ['Speaker A', 'Speaker B', 'Speaker A', 'Speaker C'],
  })
})

test('a voice without a line gets no label', () => {
  expect(labelsOf([makeChannel(0, [9, 9, 9])], [{ channel: 0, voice: 2 }]).labels).toEqual(['Speaker A'])
})

test('two channels are two speakers, even if one is silent', () => {
  const lines: VoiceReference[] = [{ channel: 1, voice: 0 }]
  expect(labelsOf([makeChannel(0), makeChannel(1)], lines)).toEqual({
    labels: ['Speaker A', 'Speaker B'],
    lines: ['Speaker B'],
  })
})

test('the voice that speaks most on a shared channel has its label, the others get the next letters', () => {
  const channels = [makeChannel(0, [2, 30, 4]), makeChannel(1, [30, 2])]
  const lines: VoiceReference[] = [
    { channel: 0, voice: 0 },
    { channel: 0, voice: 1 },
    { channel: 1, voice: 1 },
    { channel: 1, voice: 0 },
    { channel: 0, voice: 2 },
  ]
  expect(labelsOf(channels, lines)).toEqual({
    labels: ['Speaker A', 'Speaker B', 'Speaker C', 'Speaker D', 'Speaker E'],
    lines: ['Speaker C', 'Speaker A', 'Speaker D', 'Speaker B', 'Speaker E'],
  })
})
