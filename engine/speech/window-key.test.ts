import { expect, test } from 'vitest'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { windowKey } from './window-result.ts'

const model = { ...(await findSpeechModel('demo-speech')), sha256: null, sizeBytes: null }
const place = { channel: 0, index: 0, window: { pieces: [], durationMs: 0 } }

test('the key of a window depends on the content hash of the weights', () => {
  const keyOf = (contentHash: string) =>
    windowKey(place, { model: { ...model, contentHash }, languageChoice: 'ps', prompt: '' })
  expect(keyOf('aa')).toBe(keyOf('aa'))
  expect(keyOf('aa')).not.toBe(keyOf('bb'))
})
