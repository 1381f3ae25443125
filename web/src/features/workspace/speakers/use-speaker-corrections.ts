import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { expandDetails } from '#contract/compact-details.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { compactForm } from '../../../shared/recordings/recordings.ts'
import { useEditHistory, type EditHistory } from '../state/edit-history.ts'

export type SaveState =
  | { status: 'saved' | 'saving' }
  /** The speakers were corrected elsewhere in the meantime, so the last change is lost. */
  | { status: 'refused'; message: string }
  | { status: 'failed'; message: string }

/** Corrections on the screen that the server may not have saved yet. */
interface Draft {
  corrections: SpeakerCorrections
  /** The version that the corrections were saved as; null until then. */
  savedVersion: number | null
}

/**
 * Returns the corrections to a recording's speakers: shown at once, saved one at a time, and undone starting with the latest. Uses a
 * separate history unless one shared with other changes is given.
 */
export function useSpeakerCorrections(recording: RecordingDetails, sharedHistory?: EditHistory) {
  const ownHistory = useEditHistory()
  const history = sharedHistory ?? ownHistory
  const { id, speaker_corrections: stored, speaker_corrections_version: storedVersion } = recording
  const client = useQueryClient()
  const queryKey = ['recording', id]
  const [draft, setDraft] = useState<Draft | null>(null)
  const [failure, setFailure] = useState<Extract<SaveState, { message: string }> | null>(null)
  const knownVersion = useRef(storedVersion)

  const saving = useMutation({
    // One at a time, each with the version that the previous one was saved as.
    scope: { id: `speakers ${id}` },
    networkMode: 'always',
    mutationFn: async (corrections: SpeakerCorrections) => {
      await client.cancelQueries({ queryKey, exact: true })
      const body = { corrections, version: knownVersion.current }
      const saved = await call(recordings.correctSpeakers, { params: { id }, query: compactForm, body })
      const details = expandDetails(saved)
      knownVersion.current = details.speaker_corrections_version
      client.setQueryData(queryKey, details)
      return details.speaker_corrections_version
    },
    onSuccess: (savedVersion, corrections) => {
      setFailure(null)
      setDraft((current) => (current?.corrections === corrections ? { corrections, savedVersion } : current))
    },
    onError: (error) => {
      if (isSessionExpired(error)) return
      if (!(error instanceof ApiError) || error.code !== 'conflict') {
        const detail = error instanceof ApiError ? error.details[0] : undefined
        return setFailure({
          status: 'failed',
          message: detail ?? messageOf(error, t('Network error. Please try again.')),
        })
      }
      setFailure({ status: 'refused', message: error.message })
      setDraft(null)
      void client.invalidateQueries({ queryKey })
    },
  })

  const isUnsaved = draft !== null && draft.savedVersion === null
  const isShown = isUnsaved || (draft?.savedVersion ?? 0) > storedVersion
  const corrections = isShown && draft ? draft.corrections : stored
  const shown = useRef({ corrections, save })
  useEffect(() => {
    shown.current = { corrections, save }
  })

  function save(next: SpeakerCorrections) {
    // The change is based on what is on screen, which includes a version from elsewhere only if nothing is being saved.
    if (!isUnsaved) knownVersion.current = Math.max(knownVersion.current, storedVersion)
    shown.current.corrections = next
    setFailure(null)
    setDraft({ corrections: next, savedVersion: null })
    saving.mutate(next)
  }

  const lastStep = history.lastDone
  const state: SaveState = failure ?? { status: isUnsaved ? 'saving' : 'saved' }
  return {
    corrections,
    state,
    /** What the last change was; undefined if it was not to speakers, or if undoing it would also undo a change from elsewhere. */
    lastChange: lastStep?.kind === 'speakers' ? lastStep.label : undefined,
    change(next: SpeakerCorrections, label: string) {
      history.record({
        kind: 'speakers',
        label,
        undo: () => shown.current.save(corrections),
        redo: () => shown.current.save(next),
        canUndo: () => isEqual(shown.current.corrections, next),
        canRedo: () => isEqual(shown.current.corrections, corrections),
      })
      save(next)
    },
    undo: () => history.undo(),
    retry() {
      if (draft) save(draft.corrections)
    },
    /** Restores the server's corrections. */
    discard() {
      setFailure(null)
      setDraft(null)
    },
  }
}

function isEqual(a: SpeakerCorrections, b: SpeakerCorrections): boolean {
  const toComparable = ({ names, merged, moved }: SpeakerCorrections) =>
    JSON.stringify([
      Object.entries(names).toSorted(),
      Object.entries(merged).toSorted(),
      moved.map(({ start, end, speaker }) => [start, end, speaker]),
    ])
  return toComparable(a) === toComparable(b)
}
