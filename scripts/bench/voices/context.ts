import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { Corpus } from './clips.ts'
import type { FasterWhisper } from './faster-whisper.ts'
import type { Report } from './report.ts'

/** What every part of the bench is given. */
export interface BenchContext {
  model: SpeechModel
  /** faster-whisper on the same weights, where --against names a Python that has it. */
  rival: FasterWhisper | undefined
  report: Report
  onProgress: (text: string) => void
  corpora: readonly Corpus[]
  /** Most clips of each language. */
  clips: number
  /** Longest call to build. */
  minutes: number
  /** Where built calls, their truth and what was heard are kept; nowhere by default. */
  keepDir: string | undefined
}

/** What a part that needs no speech model is given. */
export type SoundContext = Pick<BenchContext, 'report' | 'onProgress' | 'keepDir'>
