import type { EmitEvent } from '#engine/child/protocol.ts'
import { serveChild } from '#engine/child/serve-child.ts'
import type { LanguageProbabilities, TranscribedWindow } from '../backend/speech-backend.ts'
import { createOnnxRuntime } from '#engine/onnx/onnx-runtime.ts'
import { readTokenTable } from './token-table.ts'
import { readVocabulary } from './vocabulary.ts'
import { createWhisperGraphs } from './whisper-graphs.ts'
import { createWindowTranscriber } from './whisper-window.ts'
import type { TranscribeWindowParams, WindowAudioParams, WindowTranscriber } from './whisper-window.ts'

interface OnnxWhisperFiles {
  /** Paths of the files. */
  encoder: string
  decoder: string
  tokens: string
  threads: number
}

let transcriber: WindowTranscriber | undefined

const methods = {
  load: async ({ encoder, decoder, tokens, threads }: OnnxWhisperFiles): Promise<void> => {
    const runtime = createOnnxRuntime()
    const loadedEncoder = await runtime.loadGraph(encoder, { threads })
    const loadedDecoder = await runtime.loadGraph(decoder, { threads })
    const vocabulary = readVocabulary(loadedEncoder.metadata)
    const graphs = createWhisperGraphs({ encoder: loadedEncoder, decoder: loadedDecoder, vocabulary, tensors: runtime })
    transcriber = createWindowTranscriber({ graphs, vocabulary, table: await readTokenTable(tokens) })
  },

  transcribe: (params: TranscribeWindowParams, _: EmitEvent, signal: AbortSignal): Promise<TranscribedWindow> =>
    ready().transcribe(params, signal),

  detectLanguages: (params: WindowAudioParams, _: EmitEvent, signal: AbortSignal): Promise<LanguageProbabilities> =>
    ready().detectLanguages(params, signal),
}

export type OnnxWhisperMethods = typeof methods

function ready(): WindowTranscriber {
  if (!transcriber) throw new Error('No model is loaded')
  return transcriber
}

serveChild(methods)
