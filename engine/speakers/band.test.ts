import { expect, test } from 'vitest'
import { mix, noise, silence, sine } from '#testing/audio.ts'
import { classifyBand, createBandMeter } from './band.ts'

function bandOfSound(...sounds: Float32Array[]): string {
  const meter = createBandMeter()
  for (const sound of sounds) meter.add(sound)
  return classifyBand(meter.highDb())
}

test('sound only below 4 kHz is telephone audio', () => {
  expect(bandOfSound(sine(1000, { hz: 300 }))).toBe('telephone')
  expect(bandOfSound(sine(1000, { hz: 3400 }))).toBe('telephone')
  expect(bandOfSound(mix(sine(1000, { hz: 1000, db: -25 }), [{ sound: noise(1000, { db: -96 }) }]))).toBe('telephone')
})

test('a little energy above 4 kHz makes it wide-band', () => {
  expect(bandOfSound(mix(sine(1000, { hz: 500 }), [{ sound: sine(1000, { hz: 6000, db: -55 }) }]))).toBe('wide')
  expect(bandOfSound(sine(1000, { hz: 500 }), noise(1000, { db: -30 }))).toBe('wide')
})

test('occasional clipped peaks do not make telephone audio wide-band', () => {
  const clicks = Array.from({ length: 6 }, (_, index) => ({ sound: noise(5, { db: -10 }), atMs: 105 + index * 300 }))
  expect(bandOfSound(mix(sine(2000, { hz: 500, db: -20 }), clicks))).toBe('telephone')
})

test('silence and no samples count as telephone audio', () => {
  expect(bandOfSound(silence(1000))).toBe('telephone')
  expect(bandOfSound(silence(0))).toBe('telephone')
  expect(bandOfSound()).toBe('telephone')
})
