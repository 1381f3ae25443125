import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { toastError } from '../../../shared/toast.tsx'
import { usePanelJob } from '../panel/use-panel-job.ts'
import type { RetryLines } from '../state/desk-context.ts'
import type { TranslateWork } from '../state/work-context.ts'

const failureToast = t('Failed to translate text. Please try again.')

/**
 * Translates a recording's text: speaker by speaker if the transcription has speakers, otherwise the plain text (audio-workflow
 * specification, section 4). `retry` is undefined if single lines cannot be translated.
 */
export function useTranslate(recording: RecordingDetails, target: string): TranslateWork {
  const { transcription } = recording
  const hasSpeakers = (transcription?.speaker_transcriptions.length ?? 0) > 0
  const options = { recording, kind: 'translate', failureToast } as const
  const plain = usePanelJob({ ...options, spec: audio.translate, isReported: !hasSpeakers })
  const bySpeaker = usePanelJob({ ...options, spec: audio.translateSpeakers, isReported: hasSpeakers })
  const work = hasSpeakers ? bySpeaker : plain
  // The server has the transcript, so its id is enough.
  const transcription_id = transcription?.transcription_id
  const transcription_data = { transcription_id }

  function start({ force }: { force: boolean }) {
    if (!transcription?.transcription) return toastError(t('Please transcribe audio first'))
    if (hasSpeakers) return bySpeaker.start({ transcription_data, target_language: target, force })
    return plain.start({
      transcription_id,
      source_language: transcription.detected_language ?? 'auto',
      target_language: target,
      recording_id: recording.id,
      force,
    })
  }

  const retry: RetryLines = (line) => {
    bySpeaker.start({ transcription_data, target_language: target, retry: line ?? 'failed' })
  }

  return { ...work, start, retry: hasSpeakers ? retry : undefined }
}
