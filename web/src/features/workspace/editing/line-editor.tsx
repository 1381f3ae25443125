import { Text } from '@mantine/core'
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react'
import { maxLineCharacters } from '#contract/line-edits.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { directionalAttributes } from '../../../shared/ui/directional-text.tsx'
import type { ConversationLine } from '../state/conversation-line.ts'
import classes from './line-editor.module.css'
import { useLineEditorKeys } from './use-line-editor-keys.ts'
import { useLineText } from './use-line-text.ts'

/** Returns whether the character at `offset` is in the first and in the last line of a wrapped text. */
function caretLine(element: HTMLElement, offset: number): { isFirst: boolean; isLast: boolean } {
  const node = element.firstChild
  const length = node?.textContent?.length ?? 0
  if (!node || length === 0) return { isFirst: true, isLast: true }
  const [caret, start, end] = [offset, 0, length - 1].map((at) => topOf(node, Math.min(at, length - 1)))
  // Letters of several scripts share a line although their boxes differ by a little.
  const isSameLine = (a = 0, b = 0) => Math.abs(a - b) < 4
  return { isFirst: isSameLine(caret, start), isLast: isSameLine(caret, end) }
}

function topOf(node: Node, offset: number): number {
  const range = document.createRange()
  range.setStart(node, offset)
  range.setEnd(node, offset + 1)
  return range.getClientRects()[0]?.top ?? 0
}

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
        <Text id={errorId} role="alert" span inherit display="block" mt={4} c="var(--mantine-color-error)" fz="xs">
          {error}
        </Text>
      )}
    </>
  )
}
