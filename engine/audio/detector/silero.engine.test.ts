import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noise } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { vadPath } from './detect-speech.ts'
import { inputSamples, openSilero } from './silero.ts'

const sounds = [noise(2000, { db: -20, seed: 1 }), noise(2000, { db: -50, seed: 2 })]

/** Returns window `at` of each sound, one after the other. */
function windowsAt(at: number, heard: readonly Float32Array[]): Float32Array {
  return Float32Array.from(heard.flatMap((sound) => [...sound.subarray(at * 512, at * 512 + inputSamples)]))
}

test('sounds that are heard side by side have the probabilities of each by itself', async () => {
  const silero = await openSilero(vadPath)
  const together = silero.listen(sounds.length)
  const alone = sounds.map(() => silero.listen(1))
  for (let at = 0; at < 20; at += 1) {
    const probabilities = await together.hear(windowsAt(at, sounds))
    for (const [index, listener] of alone.entries()) {
      const [expected = -1] = await listener.hear(windowsAt(at, sounds.slice(index, index + 1)))
      expect(probabilities[index]).toBeCloseTo(expected, 4)
    }
  }
})

test('after a reset it has heard nothing', async () => {
  const listener = (await openSilero(vadPath)).listen(1)
  const first = windowsAt(0, sounds.slice(0, 1))
  const expected = await listener.hear(first)
  const later = await listener.hear(windowsAt(1, sounds.slice(0, 1)))
  listener.reset()
  expect(await listener.hear(first)).toEqual(expected)
  expect(later).not.toEqual(expected)
})

test('a damaged file is rejected', async () => {
  const path = join(await temporaryFolder(), 'silero.onnx')
  await writeFile(path, 'no network')
  await expect(openSilero(path)).rejects.toThrow('Protobuf parsing failed')
})
