import { useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { LineEdits } from '#contract/line-edits.ts'
import type { EditHistory } from './edit-history.ts'
import type { LineEditing } from './line-editing.ts'

/** Returns how the lines of a recording are edited, and the edits to show, which the server may not have yet. */
export function useLineEditing(
  recording: RecordingDetails,
  history: EditHistory,
): LineEditing & { lineEdits: LineEdits } {
  const [opened, setOpened] = useState<{ lineId: string; offset: number | undefined } | null>(null)
  return {
    lineEdits: recording.line_edits,
    state: { status: 'saved' },
    editedLineId: opened?.lineId ?? null,
    caretOffset: opened?.offset,
    open: (lineId, offset) => setOpened(lineId === null ? null : { lineId, offset }),
    changeText: () => undefined,
    split: () => undefined,
    joinWithNext: () => undefined,
    revert: () => undefined,
    originalOf: () => undefined,
    undo: () => history.undo(),
    redo: () => history.redo(),
    undoLabel: history.lastDone?.label,
    redoLabel: history.lastUndone?.label,
    retry: () => undefined,
    resolve: () => undefined,
  }
}
