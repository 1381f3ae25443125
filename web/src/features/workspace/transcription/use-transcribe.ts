import { useEffect, useRef, useState } from 'react'
import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { useLikelyNames } from '../../../shared/recordings/likely-names.ts'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import { toLanguageRequest, initialLanguages } from '../languages/selected-languages.ts'
import { usePanelJob } from '../panel/use-panel-job.ts'
import type { TranscribeWork, TranscriptionChoice } from '../state/work-context.ts'
import { toSpeakerRequest, defaultSpeakerSettings } from './speaker-options.tsx'

/** The toast with the first 8 characters of the saved id appears after 1 s, for 3 s (audio-workflow specification, section 9). */
const savedDelayMs = 1000
const savedToastMs = 3000
const savedIdLength = 8

interface TranscribeOptions {
  recording: RecordingDetails
  /** Called once when a transcription that ran on this screen is loaded. */
  onSaved: () => void
}

/** Transcribes a recording. Returns the options, the running job, and why it failed. */
export function useTranscribe({ recording, onSaved }: TranscribeOptions): TranscribeWork {
  const { transcription } = recording
  const [choice, setChoice] = useTranscriptionChoice(recording)
  const [names, setNames] = useLikelyNames(recording.id, recording.transcription_request?.names)
  const setHasJustEnded = useSavedToast(transcription?.transcription_id ?? null, onSaved)
  const work = usePanelJob({
    recording,
    kind: 'transcribe',
    spec: audio.transcribe,
    failureToast: t('Failed to transcribe audio. Please try again.'),
    onDone: () => setHasJustEnded(true),
  })

  function start(asked: TranscriptionChoice, askedNames: string[]) {
    const request = toLanguageRequest(recording, asked.languages)
    if (!recording.id || !request) return toastError(t('Please upload an audio file first'))
    setChoice(asked)
    setNames(askedNames)
    work.start({
      file_id: recording.id,
      ...request,
      ...(asked.model !== null && { model: asked.model }),
      ...(askedNames.length > 0 && { names: askedNames }),
      ...toSpeakerRequest(asked.speakers, { isStereo: recording.is_stereo }),
      force: transcription !== null,
    })
  }

  return { ...work, choice, setChoice, names, setNames, start }
}

/** Shows the saved id once the transcription that just ended has loaded. Returns a function to call when one ends. */
function useSavedToast(transcriptionId: string | null, onSaved: () => void) {
  const [hasJustEnded, setHasJustEnded] = useState(false)
  const idBefore = useRef(transcriptionId)
  const latestOnSaved = useRef(onSaved)
  useEffect(() => {
    latestOnSaved.current = onSaved
  })
  useEffect(() => {
    if (!hasJustEnded || !transcriptionId || transcriptionId === idBefore.current) return
    idBefore.current = transcriptionId
    latestOnSaved.current()
    const timer = setTimeout(() => {
      setHasJustEnded(false)
      const id = transcriptionId.slice(0, savedIdLength)
      toastSuccess(t('Transcription saved: {id}', { id }), { durationMs: savedToastMs })
    }, savedDelayMs)
    return () => clearTimeout(timer)
  }, [hasJustEnded, transcriptionId])
  return setHasJustEnded
}

/** Returns the options of the current version, as the initial choice for the next one. */
function requestedChoice(recording: RecordingDetails): TranscriptionChoice {
  const request = recording.transcription_request
  const languages = initialLanguages(recording)
  if (!request) return { languages, speakers: defaultSpeakerSettings, model: null }
  const [left = false, right = false] = request.split_voices
  return { languages, speakers: { count: request.speaker_count, split: [left, right] }, model: request.model }
}

/** Returns the choice for the next transcription, and a setter; when another version appears, it resets to that version's options. */
function useTranscriptionChoice(recording: RecordingDetails) {
  const [draft, setDraft] = useState<{ versionId: string | null; choice: TranscriptionChoice } | null>(null)
  const versionId = recording.transcription?.transcription_id ?? null
  const choice = draft?.versionId === versionId && draft ? draft.choice : requestedChoice(recording)
  return [choice, (changed: TranscriptionChoice) => setDraft({ versionId, choice: changed })] as const
}
