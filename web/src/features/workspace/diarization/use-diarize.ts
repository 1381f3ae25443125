import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { defaultTranscriptionLanguage } from '#contract/languages.ts'
import { t } from '#contract/texts/t.ts'
import { toLanguageRequest, type SelectedLanguages } from '../languages/selected-languages.ts'
import { usePanelJob } from '../panel/use-panel-job.ts'
import type { DiarizeWork } from '../state/work-context.ts'

/** Finds out who speaks when. Uses the words of the current transcription if there is one, and never changes it. */
export function useDiarize(recording: RecordingDetails, selected: SelectedLanguages): DiarizeWork {
  const work = usePanelJob({
    recording,
    kind: 'diarize',
    spec: audio.diarize,
    failureToast: t('Failed to perform speaker diarization. Please try again.'),
    prefersHelp: true,
  })

  function start() {
    // Without languages, the words of the current transcription are used, whatever is selected now.
    const languages = recording.transcription
      ? {}
      : (toLanguageRequest(recording, selected) ?? { language: defaultTranscriptionLanguage })
    work.start({
      file_id: recording.id,
      with_transcription: true,
      ...languages,
      force: recording.diarization !== null,
    })
  }

  return { ...work, start }
}
