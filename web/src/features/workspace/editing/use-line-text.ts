import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { EditedLine, type EditableSegment } from '#contract/line-edits.ts'
import { noMarks } from '#contract/match-marks.ts'
import { useSetAtom } from '../../../shared/jotai.ts'
import { useSettings } from '../../../shared/settings.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { editorCaretAtom } from './editor-caret.ts'

/** How long after the last key press the text is saved. */
const pauseMs = 500

let lastSession = 0

export type LineText = ReturnType<typeof useLineText>

/** Holds the text of the open line, which is saved after a pause (unless `autoSave` is off) and when the line or page is left. */
export function useLineText(line: ConversationLine) {
  const { editing } = useDesk()
  const { settings } = useSettings()
  const [session] = useState(() => `editor ${(lastSession += 1)}`)
  const [text, setText] = useState(line.segment?.text ?? '')
  const [error, setError] = useState<string>()
  const setCaret = useSetAtom(editorCaretAtom)
  /** The line in its state when the editor opened, and in its state when last saved or taken over from elsewhere. */
  const opened = useRef(line.segment)
  const saved = useRef(line.segment)
  const hasSaved = useRef(false)
  const typed = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = line.segment

  useEffect(() => {
    // A change from elsewhere is taken over if nothing unsaved was typed; otherwise saving this text reports it as a conflict.
    if (!current || typed.current !== saved.current?.text) return
    saved.current = current
    if (!hasSaved.current) opened.current = current
    typed.current = current.text
    setText(current.text)
  }, [current])

  /** Saves the typed text. Returns the resulting line; null if it is empty. */
  function save(): ConversationLine | null {
    clearTimeout(timer.current)
    const base = saved.current
    const cleaned = EditedLine.shape.text.safeParse(typed.current)
    if (!base || !cleaned.success) return null
    if (cleaned.data === base.text) return { ...line, segment: base }
    hasSaved.current = true
    editing.changeText({ ...line, segment: base }, cleaned.data, session)
    const segment: EditableSegment = { ...base, text: cleaned.data }
    saved.current = segment
    // Marks on the previous words do not apply to the new ones.
    return { ...line, segment, marks: noMarks }
  }

  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  })
  useEffect(() => {
    const saveNow = () => void latestSave.current()
    window.addEventListener('beforeunload', saveNow)
    window.addEventListener('pagehide', saveNow)
    return () => {
      window.removeEventListener('beforeunload', saveNow)
      window.removeEventListener('pagehide', saveNow)
      saveNow()
    }
  }, [])

  return {
    text,
    error,
    caretOffset: editing.caretOffset,
    save,
    type(next: string) {
      const oneLine = next.replaceAll(/\s*[\r\n]+\s*/g, ' ')
      typed.current = oneLine
      setText(oneLine)
      setError(undefined)
      clearTimeout(timer.current)
      if (settings.transcription.autoSave) timer.current = setTimeout(() => latestSave.current(), pauseMs)
    },
    refuse: (sentence: string) => setError(sentence),
    /** Restores the text from before the editor opened; undo brings back the typed text. */
    reset() {
      const typedLine = save()
      const before = opened.current?.text
      if (typedLine?.segment && before !== undefined) editing.changeText(typedLine, before)
      typed.current = saved.current?.text ?? ''
      saved.current = null
    },
    onBlur({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>) {
      if (target instanceof HTMLTextAreaElement) setCaret({ lineId: line.id, offset: target.selectionStart })
      save()
      // The focus went to another window, or to a button that clicks do not focus: the editor stays open.
      if (!(relatedTarget instanceof Element)) return
      const isNear =
        currentTarget.closest('li')?.contains(relatedTarget) || relatedTarget.closest('[role="menu"], [role="dialog"]')
      if (!isNear) editing.open(null)
    },
  }
}
