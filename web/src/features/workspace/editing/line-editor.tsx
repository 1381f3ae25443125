import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { maxLineCharacters } from '#contract/line-edits.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { directionalAttributes } from '../../../shared/ui/directional-text.tsx'
import type { ConversationLine } from '../conversation/conversation-line.ts'
import { caretLine } from './caret-line.ts'
import classes from './line-editor.module.css'
import { useLineEditorKeys } from './use-line-editor-keys.ts'
import { useLineText } from './use-line-text.ts'

/** Edits the text of a line in its row. Enter goes on to the next line, Escape restores the previous text. */
export function LineEditor({ line }: { line: ConversationLine }) {
  const editor = useLineText(line)
  const field = useRef<HTMLTextAreaElement>(null)
  const copy = useRef<HTMLDivElement>(null)
  const errorId = useId()
  const { text, caretOffset, error } = editor
  const onKey = useLineEditorKeys(line, editor)

  useLayoutEffect(() => {
    const offset = caretOffset ?? field.current?.value.length ?? 0
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(offset, offset)
  }, [caretOffset])

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // An input method uses these keys itself; Safari ends its composition with a key of code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const position = copy.current ? caretLine(copy.current, selectionStart) : { isFirst: true, isLast: true }
    const isHandled = onKey(event, {
      ...position,
      offset: selectionStart,
      hasSelection: selectionStart !== selectionEnd,
    })
    if (isHandled) event.preventDefault()
  }

  const direction = directionalAttributes(line.language, line.segment?.text)
  return (
    <>
      <div
        className={classes.editor}
        data-invalid={error !== undefined || undefined}
        {...direction}
        onBlur={editor.onBlur}
      >
        <div ref={copy} className={classes.copy} aria-hidden>
          {/* A line break at the end has no height by itself. */}
          {`${text}\u200B`}
        </div>
        <textarea
          ref={field}
          {...direction}
          className={classes.field}
          rows={1}
          maxLength={maxLineCharacters}
          value={text}
          aria-label={t('Text of the line at {start}', { start: formatClock(line.start) })}
          aria-keyshortcuts="Enter Escape Control+Enter Control+Shift+Space"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          onChange={(event) => editor.type(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {error !== undefined && (
        <span id={errorId} role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </>
  )
}
