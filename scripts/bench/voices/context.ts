import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { CallCondition } from './conditions.ts'
import type { Corpus } from './clips.ts'
import type { FasterWhisper } from './faster-whisper.ts'
import type { Report } from './report.ts'

/** Input of every part of the benchmark. */
export interface BenchContext {
  model: SpeechModel
  /** faster-whisper with the same weights, if --against names a Python that has it. */
  baseline: FasterWhisper | undefined
  /** Starts another faster-whisper, to measure how long that takes. */
  startBaseline: (() => FasterWhisper) | undefined
  report: Report
  onProgress: (text: string) => void
  corpora: readonly Corpus[]
  /** Maximum number of clips per language. */
  clips: number
  /** Longest call to build. */
  minutes: number
  /** Conditions in which the part `conditions` measures its call. */
  conditions: readonly CallCondition[]
  /** Seed of the built calls; another seed gives other calls. */
  seed: number
  /** Folder in which to keep the synthetic calls, their references and the transcripts. By default they are deleted. */
  keepDir: string | undefined
}

/** Input of a part that needs no speech model. */
export type SoundContext = Pick<BenchContext, 'report' | 'onProgress' | 'keepDir'>
