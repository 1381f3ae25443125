import { useEffect, useMemo, useRef, useState } from 'react'
import { changeLine, joinSegments, revertLine, splitLine } from '#contract/line-changes.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import {
  type EditableSegment,
  editableSegments,
  type EditedLine,
  type LineChange,
  type LineEdits,
} from '#contract/line-edits.ts'
import type { MovedLine } from '#contract/speaker-corrections.ts'
import { t } from '#contract/texts/t.ts'
import { lineIdOf } from '../state/build-lines.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import type { EditHistory } from '../state/edit-history.ts'
import { indexesOf, isSameState, mergeChanges, stateAt } from './line-changes.ts'
import type { LineEditing } from '../state/line-editing.ts'
import type { LineEditQueue } from './line-edit-queue.ts'
import { useEditQueue } from './use-edit-queue.ts'

/** Returns a change; one that makes lines equal to the engine's becomes a revert to them. */
function withoutCopies({ from, lines }: LineChange, written: readonly EditedLine[]): LineChange {
  const originals = from.flatMap((index) => written[index] ?? [])
  const isCopy =
    lines?.length === originals.length && originals.every((line, index) => isSameLine(line, lines[index] ?? line))
  return { from, lines: isCopy ? null : lines }
}

/** Returns the line in a list with the same origin, times and text as another; the speakers may differ. */
function findLine(
  lines: readonly EditableSegment[],
  { from, start, end, text }: EditableSegment,
): EditableSegment | undefined {
  return lines.find(
    (line) => line.start === start && line.end === end && line.text === text && line.from.join() === from.join(),
  )
}

function isSameLine(a: EditedLine, b: EditedLine): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text && a.speaker === b.speaker
}

/**
 * Returns the functions to edit the lines of a recording, and the edits to show, which the server may not have yet. `moved` are lines
 * moved to other speakers; when such a line is split, its parts stay with that speaker.
 */
export function useLineEditing(
  recording: RecordingDetails,
  history: EditHistory,
  moved: MovedLine[],
): LineEditing & { lineEdits: LineEdits } {
  const { queue, lineEdits, state } = useEditQueue(recording, history)
  const [opened, setOpened] = useState<{ lineId: string; offset: number | undefined } | null>(null)
  const { transcription } = recording
  const undoLabel = history.lastDone?.label
  const redoLabel = history.lastUndone?.label
  const saveOpened = useRef<() => ConversationLine | null>(undefined)
  const latestMoved = useRef(moved)
  useEffect(() => {
    latestMoved.current = moved
  })

  const actions = useMemo(() => {
    const segments = transcription?.segments ?? []
    const linesNow = (movedLines?: MovedLine[]) =>
      transcription ? editableSegments(transcription, queue.getShown(), movedLines) : []

    function make(label: string, change: LineChange, session?: string) {
      record({ queue, history, label, change: withoutCopies(change, segments), session })
    }
    /** If one of these lines was open, continues editing in the changed line that starts at a time. */
    function reopen(
      lines: ConversationLine[],
      change: LineChange,
      { start, offset }: { start: number; offset: number },
    ) {
      setOpened((current) =>
        lines.some(({ id }) => id === current?.lineId)
          ? { lineId: lineIdOf({ from: change.from, start }), offset }
          : current,
      )
    }

    return {
      open: (lineId: string | null, offset?: number) => setOpened(lineId === null ? null : { lineId, offset }),
      saveOpen: () => saveOpened.current?.(),
      provideSave(save: () => ConversationLine | null) {
        saveOpened.current = save
        return () => {
          if (saveOpened.current === save) saveOpened.current = undefined
        }
      },
      changeText({ segment }: ConversationLine, text: string, session?: string) {
        if (!segment || text === segment.text) return
        const lines = linesNow()
        const line = findLine(lines, segment)
        if (line) make(t('Line corrected'), changeLine(lines, line, { text }), session)
        else queue.applyToOther([changeOfOther(lines, segment, text)])
      },
      split(line: ConversationLine, offset: number) {
        const lines = linesNow(latestMoved.current)
        const segment = line.segment && findLine(lines, line.segment)
        const change = segment ? splitLine(lines, segment, offset) : null
        const second = change?.lines?.find(({ start }) => segment && start > segment.start && start < segment.end)
        if (!change || !second) return false
        make(t('Line split'), change)
        reopen([line], change, { start: second.start, offset: 0 })
        return true
      },
      joinWithNext(first: ConversationLine, next: ConversationLine) {
        const lines = linesNow(latestMoved.current)
        const joined = [first, next].flatMap(({ segment }) => (segment && findLine(lines, segment)) ?? [])
        const change = joined.length === 2 ? joinSegments(lines, joined) : null
        if (!change) return false
        make(t('Lines joined'), change)
        reopen([first, next], change, { start: first.start, offset: (first.segment?.text.length ?? 0) + 1 })
        return true
      },
      revert({ segment }: ConversationLine) {
        if (segment?.isEdited) make(t('Line returned to what the model wrote'), revertLine(segment))
      },
      originalOf({ segment }: ConversationLine) {
        if (!segment?.isEdited) return undefined
        const original = segment.from.map((index) => segments[index]?.text ?? '').join(' ')
        return original === segment.text ? undefined : original
      },
      undo: () => history.undo(),
      redo: () => history.redo(),
      retry: () => queue.retry(),
      resolve: queue.resolve,
    }
  }, [queue, history, transcription])

  return useMemo(
    () => ({
      ...actions,
      lineEdits,
      state,
      undoLabel,
      redoLabel,
      editedLineId: opened?.lineId ?? null,
      caretOffset: opened?.offset,
    }),
    [actions, lineEdits, state, undoLabel, redoLabel, opened],
  )
}

interface RecordedChange {
  queue: LineEditQueue
  history: EditHistory
  label: string
  change: LineChange
  session: string | undefined
}

/** Applies a change that can be undone until its lines are changed elsewhere. */
function record({ queue, history, label, change, session }: RecordedChange): void {
  const shown = queue.getShown().edits
  const after = mergeChanges(shown, [change])
  const indexes = indexesOf([change, ...stateAt(shown, change.from)])
  const [before, next] = [stateAt(shown, indexes), stateAt(after, indexes)]
  if (isSameState(before, next)) return
  const isNow = (state: LineChange[]) => isSameState(stateAt(queue.getShown().edits, indexes), state)
  history.record({
    kind: 'lines',
    label,
    undo: () => queue.apply(before),
    redo: () => queue.apply(next),
    canUndo: () => isNow(next),
    canRedo: () => isNow(before),
    ...(session !== undefined && { session }),
  })
  queue.apply(next)
}

/** Returns the change for a text typed into a line that others changed in the meantime. */
function changeOfOther(lines: EditableSegment[], typed: EditableSegment, text: string): LineChange {
  const { from, start, end, speaker } = typed
  const same = lines.find((line) => line.from.join() === from.join() && line.start === start && line.end === end)
  if (same) return changeLine(lines, same, { text })
  return { from, lines: [{ start, end, text, ...(speaker !== undefined && { speaker }) }] }
}
