import { createContext, use } from 'react'
import type { useDiarize } from '../diarization/use-diarize.ts'
import type { useTranscribe } from '../transcription/use-transcribe.ts'
import type { useTranslate } from '../translation/use-translate.ts'

/** The jobs of the recording on screen: how each is started, how far it is, and why it failed. */
export interface Work {
  transcribe: ReturnType<typeof useTranscribe>
  translate: ReturnType<typeof useTranslate>
  diarize: ReturnType<typeof useDiarize>
  /** The shared loading flag (audio-workflow specification, section 4): while one runs, none is started. */
  isBusy: boolean
}

export const WorkContext = createContext<Work | null>(null)

/** Returns the jobs of the recording on screen. Throws outside a desk. */
export function useWork(): Work {
  const work = use(WorkContext)
  if (!work) throw new Error('There is no recording here: render inside WorkContext')
  return work
}
