import { expect, it } from 'vitest'
import { gateGain } from './audio-graph.ts'
import { everythingHeard, toggleMuted, toggleSolo } from './channel-silence.ts'
import { defaultListening } from './listening-settings.ts'
import { isUnchanged, soundOf } from './sound.ts'

const gains = (silence = everythingHeard, channelCount = 2) =>
  soundOf(defaultListening, silence, channelCount).channels.map(({ gain }) => gain)

it('is that of the file at first, with one and with two channels', () => {
  expect(isUnchanged(soundOf(defaultListening, everythingHeard, 1))).toBe(true)
  expect(isUnchanged(soundOf(defaultListening, everythingHeard, 2))).toBe(true)
})

it.each([
  { boostDb: 6 },
  { isEvened: true },
  { isTelephone: true },
  { isDenoised: true },
  { channels: [{ volume: 0.5, pan: -1 }, defaultListening.channels[1]] as typeof defaultListening.channels },
  { channels: [defaultListening.channels[0], { volume: 1, pan: 0 }] as typeof defaultListening.channels },
])('is another one with %o', (part) => {
  expect(isUnchanged(soundOf({ ...defaultListening, ...part }, everythingHeard, 2))).toBe(false)
})

it('solo silences the other channel, whatever is muted, and a second press ends it', () => {
  const muted = toggleMuted(everythingHeard, 1)
  expect(gains(muted)).toEqual([1, 0])
  const solo = toggleSolo(muted, 1)
  expect(gains(solo)).toEqual([0, 1])
  expect(gains(toggleSolo(solo, 0))).toEqual([1, 0])
  expect(gains(toggleSolo(solo, 1))).toEqual([1, 0])
})

it('never silences a recording of one channel', () => {
  expect(gains(toggleSolo(everythingHeard, 1), 1)).toEqual([1])
})

it('lowers what is quieter than speech to a tenth, and leaves speech as it is', () => {
  expect(gateGain(0.005)).toBeCloseTo(0.1)
  expect(gateGain(0.1)).toBe(1)
  expect(gateGain(0.018)).toBeCloseTo(0.55)
})
