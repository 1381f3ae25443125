import { Text } from '@mantine/core'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useEffect } from 'react'
import { maxLineCharacters } from '#contract/line-edits.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { directionalAttributes } from '../../../shared/ui/directional-text.tsx'
import { latinKey } from '../../../shared/latin-key.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useNavigation } from '../state/navigation.ts'
import { usePlayer } from '../player/player-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { useAnnounce } from '../state/announce.ts'
import classes from './line-editor.module.css'
import { useLineText, type LineText } from './use-line-text.ts'
import { neighbourOf, previousOfSpeaker } from './neighbours.ts'

/** The position of the caret in the text as wrapped on screen. */
interface Caret {
  offset: number
  hasSelection: boolean
  isFirst: boolean
  isLast: boolean
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'repeat'>

const emptySentence = t('A line must not be empty. Join it with another one, or return to what the model wrote.')

/** Returns whether the character at `offset` is in the first, and whether in the last, line of a wrapped text. */
function caretLine(element: HTMLElement, offset: number): { isFirst: boolean; isLast: boolean } {
  const node = element.firstChild
  const length = node?.textContent?.length ?? 0
  if (!node || length === 0) return { isFirst: true, isLast: true }
  const [caret, start, end] = [offset, 0, length - 1].map((at) => topOf(node, Math.min(at, length - 1)))
  // On one line, the boxes of letters from different scripts can differ slightly.
  const isSameLine = (a = 0, b = 0) => Math.abs(a - b) < 4
  return { isFirst: isSameLine(caret, start), isLast: isSameLine(caret, end) }
}

function topOf(node: Node, offset: number): number {
  const range = document.createRange()
  range.setStart(node, offset)
  range.setEnd(node, offset + 1)
  return range.getClientRects()[0]?.top ?? 0
}

/** Edits the text of a line in its row. Enter moves on to the next line, Escape restores the previous text. */
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
    // Input methods use these keys themselves; Safari ends a composition with key code 229.
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

/** Returns the key handler of an open line, which returns whether it handled the key. */
function useLineEditorKeys(line: ConversationLine, editor: LineText): (key: Key, caret: Caret) => boolean {
  const { lines, editing } = useDesk()
  const { goToLine } = useNavigation()
  const { describe } = useSpeakers()
  const player = usePlayer()
  const announce = useAnnounce()

  /** Saves and returns the line with the typed text; an empty line stays open with an error message. */
  function save(): ConversationLine | null {
    const saved = editor.save()
    if (!saved) editor.refuse(emptySentence)
    return saved
  }

  const latestSave = useRef(save)
  useEffect(() => {
    latestSave.current = save
  })
  const { provideSave } = editing
  useEffect(() => provideSave(() => latestSave.current()), [provideSave])

  function goOn(direction: 'before' | 'after', offset?: number): boolean {
    if (!save()) return true
    const next = neighbourOf(lines, line, direction)
    if (!next) return false
    goToLine(next.id)
    editing.open(next.id, offset)
    return true
  }

  function close() {
    editing.open(null)
    goToLine(line.id, { focus: true })
  }

  function split(offset: number): boolean {
    const saved = save()
    if (!saved) return true
    const leadingBlanks = editor.text.length - editor.text.trimStart().length
    const isSplit = editing.split(saved, offset - leadingBlanks)
    announce(isSplit ? t('Line split') : t('A line cannot be empty: put the caret between two words to split it'))
    return true
  }

  function joinWithPrevious(): boolean {
    const previous = previousOfSpeaker(lines, line)
    if (!previous) {
      announce(t('There is no earlier line of this speaker to join'))
      return true
    }
    const saved = save()
    if (saved && editing.joinWithNext(previous, saved))
      announce(
        t('Joined with the line before of {name}', {
          name: describe(previous.segment?.speaker, previous.segment?.channel).name,
        }),
      )
    return true
  }

  return (event, caret) => {
    const hasControl = event.ctrlKey || event.metaKey
    if (latinKey(event) === ' ' && hasControl && event.shiftKey) {
      player.playRange({ start: line.start, end: line.end, isLooped: false })
      return true
    }
    if (event.altKey) return false
    if (event.key === 'Enter' && hasControl) return split(caret.offset)
    if (hasControl) return false
    if (event.key === 'Enter') {
      if (!goOn('after')) close()
      return true
    }
    if (event.key === 'Escape') {
      editor.reset()
      close()
      return true
    }
    if (event.shiftKey || caret.hasSelection) return false
    if (event.key === 'ArrowUp' && caret.isFirst) return goOn('before')
    if (event.key === 'ArrowDown' && caret.isLast) return goOn('after', 0)
    if (event.key === 'Backspace' && caret.offset === 0 && !event.repeat) return joinWithPrevious()
    return false
  }
}
