import { createOnnxRuntime } from '#engine/speech/onnx-whisper/onnx-runtime.ts'
import type { OnnxTensor } from '#engine/speech/onnx-whisper/onnx-runtime.ts'
import { sampleRate } from '../decoded-audio.ts'

/** Silero VAD classifies windows of 512 samples, each with the last 64 samples of the one before as context. */
export const windowSamples = 512
export const contextSamples = 64
export const inputSamples = contextSamples + windowSamples
const stateSize = 128

/** The network, which remembers what it heard. */
export interface Silero {
  /** Returns a network for a number of sounds, which it hears side by side: four cost half as much as one after the other. */
  listen(count: number): SileroListener
}

export interface SileroListener {
  /** Returns each sound's probability of a voice in its next 576 samples; `inputs` holds them one sound after the other. */
  hear(inputs: Float32Array): Promise<Float32Array>
  /** Forgets what was heard. */
  reset(): void
}

/** Loads the network. Rejects with onnxruntime's message for a damaged file. */
export async function openSilero(modelPath: string): Promise<Silero> {
  const runtime = createOnnxRuntime()
  const graph = await runtime.loadGraph(modelPath, { threads: 1 })
  const rate = runtime.intTensor([sampleRate], [])
  return {
    listen(count) {
      const start = () => runtime.floatTensor(new Float32Array(2 * count * stateSize), [2, count, stateSize])
      let state: OnnxTensor | undefined
      return {
        async hear(inputs) {
          const input = runtime.floatTensor(inputs, [count, inputSamples])
          const before = state ?? start()
          try {
            const [output, next] = await graph.run({ input, state: before, sr: rate }, ['output', 'stateN'])
            if (!output || !next) throw new Error('The detector returned nothing')
            state = next
            const probabilities = output.read()
            output.release()
            return probabilities
          } finally {
            input.release()
            before.release()
          }
        },
        reset() {
          state?.release()
          state = undefined
        },
      }
    },
  }
}
