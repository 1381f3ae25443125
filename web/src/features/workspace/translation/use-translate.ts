import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { toastError } from '../../../shared/toast.tsx'
import { usePanelJob } from '../panel/use-panel-job.ts'

const failureToast = 'Failed to translate text. Please try again.'

/**
 * Translating a recording's text: speaker by speaker where the transcription has speakers, else the plain text
 * (audio-workflow specification, section 4).
 */
export function useTranslate(recording: RecordingDetails, language: string, target: string) {
  const { transcription } = recording
  const plain = usePanelJob({ recording, kind: 'translate', spec: audio.translate, failureToast })
  const bySpeaker = usePanelJob({ recording, kind: 'translate', spec: audio.translateSpeakers, failureToast })
  const hasSpeakers = (transcription?.speaker_transcriptions.length ?? 0) > 0
  const work = hasSpeakers ? bySpeaker : plain

  function start({ force }: { force: boolean }) {
    if (!transcription?.transcription) return toastError('Please transcribe audio first')
    if (hasSpeakers) {
      return bySpeaker.start({ transcription_data: dataOf(transcription), target_language: target, force })
    }
    plain.start({
      text: transcription.transcription,
      source_language: transcription.detected_language ?? (language === 'multi' ? 'auto' : language),
      target_language: target,
      recording_id: recording.id,
      force,
    })
  }
  /** Translates what failed again, or one line of it; only lines of speakers can be told apart. */
  function retry(line?: { start: number; end: number }) {
    if (!transcription) return
    const body = { transcription_data: dataOf(transcription), target_language: target }
    bySpeaker.start({ ...body, retry: line ?? 'failed' })
  }

  return { ...work, start, retry: hasSpeakers ? retry : undefined }
}

/** As much of a transcription as the call reads: the words of an hour, with times and confidences, would be megabytes. */
function dataOf({ transcription_id, detected_language, segments, speaker_transcriptions }: TranscriptionResult) {
  return {
    transcription_id,
    detected_language,
    segments: segments.map(withoutWords),
    speaker_transcriptions: speaker_transcriptions.map((entry) => ({
      ...entry,
      segments: entry.segments.map(withoutWords),
    })),
  }
}

function withoutWords({ start, end, text, speaker, language }: Segment) {
  return { start, end, text, ...(speaker !== undefined && { speaker }), ...(language !== undefined && { language }) }
}
