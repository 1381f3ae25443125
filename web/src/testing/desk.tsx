import { useMemo, type ReactNode } from 'react'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { Keywords } from '#contract/keywords/keywords.ts'
import { editableSegments } from '#contract/line-edits.ts'
import { buildLines } from '../features/workspace/state/build-lines.ts'
import { DeskContext, type Desk } from '../features/workspace/state/desk-context.ts'
import type { LineEditing } from '../features/workspace/state/line-editing.ts'
import { listLineHits } from '../features/workspace/state/line-hits.ts'
import { useReviewedHits } from '../features/workspace/hits/use-reviewed-hits.ts'
import { useNotes } from '../features/workspace/notes/use-notes.ts'
import { useKeywords } from '../shared/keywords/use-keywords.ts'
import { useUser } from '../shared/session/session.ts'
import type { RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'

/** Editing that does nothing. */
export const noEditing: LineEditing = {
  state: { status: 'saved' },
  editedLineId: null,
  caretOffset: undefined,
  undoLabel: undefined,
  redoLabel: undefined,
  open: ignore,
  saveOpen: () => undefined,
  provideSave: () => ignore,
  changeText: ignore,
  split: () => false,
  joinWithNext: () => false,
  revert: ignore,
  originalOf: () => undefined,
  undo: ignore,
  redo: ignore,
  retry: ignore,
  resolve: ignore,
}

function ignore() {}

interface DeskOptions {
  recording: RecordingDetails
  translation?: StoredTranslation | null
  keywords: Keywords
}

/** Creates a desk with the lines and hits of a recording. */
function makeDesk({ recording, translation = null, keywords }: DeskOptions): Desk {
  const { transcription } = recording
  const segments = transcription ? editableSegments(transcription, recording.line_edits) : []
  const find = createKeywordMatcher(keywordsInUse(keywords))
  const lines = buildLines({ segments, transcription, translation, find, partial: [] })
  return {
    recording,
    transcription,
    translation,
    target: translation?.target_language ?? 'en',
    jobs: {},
    lines,
    hits: listLineHits(lines),
    reviewedHits: new Set(),
    notes: [],
    editing: noEditing,
    retryTranslation: undefined,
  }
}

/** Provides a part of the desk with a recording, the user's keywords, and what the server stores about both. */
export function TestDesk({
  recording,
  translation = null,
  children,
}: Omit<DeskOptions, 'keywords'> & { children: ReactNode }) {
  const { keywords } = useKeywords(useUser().id)
  const { reviewed } = useReviewedHits(recording.id)
  const { notes } = useNotes(recording.id)
  const desk = useMemo(() => makeDesk({ recording, translation, keywords }), [recording, translation, keywords])
  return <DeskContext value={{ ...desk, reviewedHits: reviewed, notes }}>{children}</DeskContext>
}
