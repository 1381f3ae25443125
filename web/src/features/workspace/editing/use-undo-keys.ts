import { useEffect, useRef } from 'react'
import { latinKey } from '../../../shared/latin-key.ts'
import type { LineEditing } from './line-editing.ts'

/** Ctrl-Z takes a change back, Ctrl-Shift-Z and Ctrl-Y make it again; in text fields these keys are the browser's. */
export function useUndoKeys(editing: Pick<LineEditing, 'undo' | 'redo'>): void {
  const latest = useRef(editing)
  useEffect(() => {
    latest.current = editing
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.altKey || !(event.ctrlKey || event.metaKey) || isTextField(event.target)) return
      const key = latinKey(event)
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey)
      if (key !== 'z' && !isRedo) return
      event.preventDefault()
      if (isRedo) latest.current.redo()
      else latest.current.undo()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('textarea, input:not([type="range"], [type="checkbox"], [type="radio"])') !== null)
  )
}
