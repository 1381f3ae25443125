import { expect, test } from 'vitest'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { decodingFor, fallbackDecodings } from './decode-settings.ts'

const greedy = { ...decodingFor(await findSpeechModel('demo-speech'), 'ps'), beamSize: 1 }
const beamSearch = { ...greedy, beamSize: 5, temperatureStep: 0 }
const sampling = { ...greedy, beamSize: 1, temperature: 0.4, temperatureStep: 0.2 }

test.each([
  ['whisper-base-onnx', 5],
  ['whisper-base', 1],
])(
  '%s is decoded with %i beams, and with those of the catalogue for a language that has some',
  async (id, beamSize) => {
    const model = await findSpeechModel(id)
    expect(decodingFor(model, 'en')).toMatchObject({ beamSize, temperatureStep: 0 })
    expect(decodingFor(model, 'fa')).toMatchObject({ beamSize: 5 })
  },
)

test('a loop of greedy decoding is decoded again with beam search, then at higher temperatures', () => {
  expect(fallbackDecodings(greedy, { hasBeamSearch: true })).toEqual([beamSearch, sampling])
})

test('a loop of beam search is decoded again at higher temperatures', () => {
  expect(fallbackDecodings(beamSearch, { hasBeamSearch: true })).toEqual([sampling])
})

test('an engine without beam search samples if it can, and has no fallback otherwise', () => {
  expect(fallbackDecodings(greedy, { hasBeamSearch: false, hasTemperature: true })).toEqual([sampling])
  expect(fallbackDecodings(greedy, { hasBeamSearch: false })).toEqual([])
})
