import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { createOnnxRuntime } from '#engine/onnx/onnx-runtime.ts'
import type { OnnxTensor } from '#engine/onnx/onnx-runtime.ts'
import { decodeSampleCall } from '#engine/speech/testing/sample-call.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { vadPath } from './detect-speech.ts'
import { readChannel } from './testing/sounds.ts'
import { contextSamples, loadVoiceNetwork, windowSamples } from './voice-network.ts'
import type { VoiceNetwork } from './voice-network.ts'

const windowCount = 200
let network: VoiceNetwork
/** Two streams from the sample call: the first seconds of each channel. */
let streams: Float32Array[]

beforeEach(async () => {
  network ??= await loadVoiceNetwork(vadPath)
  const { decoded } = await decodeSampleCall(await temporaryFolder())
  const channels = await Promise.all([0, 1].map((channel) => readChannel(decoded, channel)))
  streams = channels.map((samples) => samples.slice(0, windowCount * windowSamples + contextSamples))
})

/** Classifies the windows of one stream one by one with the network as published by its authors. */
async function classifyByOriginal(samples: Float32Array): Promise<number[]> {
  const runtime = createOnnxRuntime()
  const graph = await runtime.loadGraph(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'), { threads: 1 })
  let state = runtime.floatTensor(new Float32Array(256), [2, 1, 128])
  const probabilities: number[] = []
  for (let from = 0; from + windowSamples + contextSamples <= samples.length; from += windowSamples) {
    const length = windowSamples + contextSamples
    const input = runtime.floatTensor(samples.slice(from, from + length), [1, length])
    const results = await graph.run({ input, state, sr: runtime.intTensor([16_000], []) }, ['output', 'stateN'])
    const [output, next] = results as [OnnxTensor, OnnxTensor] // one for each name
    probabilities.push(output.read()[0] ?? 0)
    state = next
  }
  return probabilities
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length)
  return Math.max(...Array.from(a, (value, at) => Math.abs(value - (b[at] ?? 0))))
}

test('gives every window the probability of the network of its authors', async () => {
  const found = await network.listen(2).classify(streams)
  for (const [index, samples] of streams.entries()) {
    const expected = await classifyByOriginal(samples)
    expect(Math.max(...expected)).toBeGreaterThan(0.9)
    expect(largestDifference(found[index] ?? [], expected)).toBeLessThan(1e-4)
  }
})

test('goes on in the next block where the last one ended', async () => {
  const [samples = new Float32Array()] = streams
  const [whole = new Float32Array()] = await network.listen(1).classify([samples])
  const classifier = network.listen(1)
  const blocks: number[] = []
  for (const [from, count] of [
    [0, 1],
    [1, 70],
    [71, windowCount - 71],
  ] as const) {
    const block = samples.slice(from * windowSamples, (from + count) * windowSamples + contextSamples)
    blocks.push(...((await classifier.classify([block]))[0] ?? []))
  }
  expect(largestDifference(blocks, whole)).toBeLessThan(1e-4)
})

test('a file that is missing or no network is an error', async () => {
  await expect(loadVoiceNetwork('/missing.onnx')).rejects.toThrow('/missing.onnx')
  await expect(loadVoiceNetwork(import.meta.filename)).rejects.toThrow(/INVALID_PROTOBUF|Protobuf/i)
})
