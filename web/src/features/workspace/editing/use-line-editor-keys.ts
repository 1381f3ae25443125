import { useEffect, useRef, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { latinKey } from '../../../shared/latin-key.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { useNavigation } from '../state/navigation.ts'
import { usePlayer } from '../player/player-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { useAnnounce } from '../state/announce.ts'
import { neighbourOf, previousOfSpeaker } from './neighbours.ts'
import type { LineText } from './use-line-text.ts'

/** Where the caret is in the text as it is wrapped on screen. */
interface Caret {
  offset: number
  hasSelection: boolean
  isFirst: boolean
  isLast: boolean
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'repeat'>

const emptySentence = t('A line must not be empty. Join it with another one, or return to what the model wrote.')

/** Returns what handles the keys of an open line; it returns whether a key was one of them. */
export function useLineEditorKeys(line: ConversationLine, editor: LineText): (key: Key, caret: Caret) => boolean {
  const { lines, editing } = useDesk()
  const { goToLine } = useNavigation()
  const { describe } = useSpeakers()
  const player = usePlayer()
  const announce = useAnnounce()

  /** Returns the line with what was typed; an empty one stays open with a sentence. */
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
