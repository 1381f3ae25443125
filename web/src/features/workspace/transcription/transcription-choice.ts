import { useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { initialLanguages } from '../languages/selected-languages.ts'
import type { TranscriptionChoice } from '../state/work-context.ts'
import { defaultSpeakerSettings } from './speaker-options.tsx'

/** Returns what the current version was asked for, as the initial choice for the next one. */
export function requestedChoice(recording: RecordingDetails): TranscriptionChoice {
  const request = recording.transcription_request
  const languages = initialLanguages(recording)
  if (!request) return { languages, speakers: defaultSpeakerSettings, model: null }
  const [left = false, right = false] = request.split_voices
  return { languages, speakers: { count: request.speaker_count, split: [left, right] }, model: request.model }
}

/** Returns the choice for the next transcription and a setter; with another version on screen it is what that one was asked for. */
export function useTranscriptionChoice(recording: RecordingDetails) {
  const [draft, setDraft] = useState<{ versionId: string | null; choice: TranscriptionChoice } | null>(null)
  const versionId = recording.transcription?.transcription_id ?? null
  const choice = draft?.versionId === versionId && draft ? draft.choice : requestedChoice(recording)
  return [choice, (changed: TranscriptionChoice) => setDraft({ versionId, choice: changed })] as const
}
