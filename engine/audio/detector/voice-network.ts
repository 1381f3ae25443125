import { createOnnxRuntime } from '#engine/onnx/onnx-runtime.ts'
import type { OnnxTensor } from '#engine/onnx/onnx-runtime.ts'

/** Silero VAD classifies windows of 512 samples at 16 kHz, each with the first 64 samples of the next one. */
export const windowSamples = 512
export const contextSamples = 64

const frameSamples = 256
const frameStep = 128
const framesPerWindow = 4
/** Samples in the last frame of a window, before it is extended by reflection. */
const lastFrameSamples = windowSamples + contextSamples - (framesPerWindow - 1) * frameStep
const hiddenSize = 128

/** Classifies several streams of samples in parallel, and remembers what it has heard. */
export interface VoiceClassifier {
  /**
   * Returns the probability of a voice in each of the next windows, one list per stream. `samples` has one list per stream, -1 to 1: all
   * samples of those windows and the 64 samples after them.
   */
  classify(samples: readonly Float32Array[]): Promise<Float32Array[]>
  /** Frees its memory. */
  close(): void
}

export interface VoiceNetwork {
  /** Starts to listen to streams that begin with silence. */
  listen(streamCount: number): VoiceClassifier
}

/** Loads Silero VAD as models/vad/README.md describes it. Rejects if the file is missing or damaged. */
export async function loadVoiceNetwork(path: string): Promise<VoiceNetwork> {
  const runtime = createOnnxRuntime()
  const graph = await runtime.loadGraph(path, { threads: 1 })

  function listen(streamCount: number): VoiceClassifier {
    const silence = () => runtime.floatTensor(new Float32Array(streamCount * hiddenSize), [1, streamCount, hiddenSize])
    const streams = runtime.intTensor([streamCount], [1])
    let hidden = silence()
    let cell = silence()

    async function classify(samples: readonly Float32Array[]): Promise<Float32Array[]> {
      const windowCount = Math.floor(((samples[0]?.length ?? 0) - contextSamples) / windowSamples)
      const frames = toFrames(samples, windowCount)
      const input = runtime.floatTensor(frames, [frames.length / frameSamples, frameSamples])
      const outputs = ['probabilities', 'next_hidden', 'next_cell']
      const results = await graph.run({ frames: input, streams, hidden, cell }, outputs)
      const [probabilities, nextHidden, nextCell] = results as [OnnxTensor, OnnxTensor, OnnxTensor] // as many as names
      for (const used of [input, hidden, cell]) used.release()
      hidden = nextHidden
      cell = nextCell
      const values = probabilities.read()
      probabilities.release()
      return samples.map((_, stream) =>
        Float32Array.from({ length: windowCount }, (__, window) => values[window * streamCount + stream] ?? 0),
      )
    }

    return { classify, close: () => [streams, hidden, cell].forEach((tensor) => tensor.release()) }
  }

  return { listen }
}

/** Returns the frames of all streams in the first window, then in the second and so on: 256 samples each, 128 apart. */
function toFrames(samples: readonly Float32Array[], windowCount: number): Float32Array {
  const frames = new Float32Array(windowCount * samples.length * framesPerWindow * frameSamples)
  let at = 0
  for (let window = 0; window < windowCount; window += 1)
    for (const stream of samples) {
      const from = window * windowSamples
      for (let frame = 0; frame < framesPerWindow - 1; frame += 1, at += frameSamples)
        frames.set(stream.subarray(from + frame * frameStep, from + frame * frameStep + frameSamples), at)
      const end = from + windowSamples + contextSamples
      frames.set(stream.subarray(end - lastFrameSamples, end), at)
      for (let mirrored = 0; mirrored < frameSamples - lastFrameSamples; mirrored += 1)
        frames[at + lastFrameSamples + mirrored] = stream[end - 2 - mirrored] ?? 0
      at += frameSamples
    }
  return frames
}
