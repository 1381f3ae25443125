import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { readTreeCpu, watchPeakMemory } from '#engine/evaluate/process-tree.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import type { TranscribedRecording, TranscribeOptions } from '#engine/speech/transcribe.ts'
import { withFolder } from './clips.ts'
import type { Line } from './reference.ts'

/** The product's transcription of a recording, and its cost. */
export interface TranscriptionRun {
  result: TranscribedRecording
  lines: Line[]
  seconds: number
  /** CPU time of the child processes while transcribing, then of everything, including decoding. */
  childCpuSeconds: number
  cpuS: number
  peakChildBytes: number
}

/** Returns a catalog model with its file in `modelsDir`, ignoring the hash: the tensors of converted weights are in a different order. */
export async function findModel(id: string, modelsDir: string): Promise<SpeechModel> {
  return { ...(await findSpeechModel(id, modelsDir)), sizeBytes: null, sha1: null, sha256: null }
}

/** Creates backends that stay loaded across recordings. They use one thread, so that CPU times can be compared. */
export function createBackends(): SpeechBackendCache {
  return createSpeechBackendCache({ threads: 1 })
}

/** Decodes and transcribes a recording as the product does, on one thread; creates backends if none are given. */
export async function transcribeFile(
  path: string,
  {
    model,
    language,
    backends,
    ...hints
  }: {
    model: SpeechModel
    language: TranscriptionLanguageChoice
    backends?: SpeechBackendCache
  } & Pick<TranscribeOptions, 'names' | 'wordLists' | 'keywordsOf'>,
): Promise<TranscriptionRun> {
  return withFolder(async (workDir) => {
    const before = readTreeCpu()
    const decoded = await decodeAudio(path, { workDir })
    const between = readTreeCpu()
    const memory = watchPeakMemory()
    const result = await transcribeRecording(decoded, {
      model,
      language,
      ...hints,
      ...(backends ? { backends } : { threads: 1 }),
    })
    const peakChildBytes = memory.stop()
    const after = readTreeCpu()
    return {
      result,
      lines: toLines(result),
      seconds: decoded.durationMs / 1000,
      childCpuSeconds: after.childrenSeconds - between.childrenSeconds,
      cpuS: after.ownSeconds + after.childrenSeconds - before.ownSeconds - before.childrenSeconds,
      peakChildBytes,
    }
  })
}

export function toLines({ segments }: TranscriptionResult): Line[] {
  return segments.map(({ start, end, text, channel = 0, words }) => ({
    channel: channel === 1 ? 1 : 0,
    startMs: start * 1000,
    endMs: end * 1000,
    text,
    ...(words && {
      words: words.map((word) => ({ text: word.text, startMs: word.start * 1000, endMs: word.end * 1000 })),
    }),
  }))
}
