import { useEffect, useRef } from 'react'
import type { ListedWord } from '#contract/word-lists.ts'

/**
 * Returns a ref for the element around the forms and the list, and two functions that move the focus to the Edit button of a word; to the
 * field of the form where the list does not show the word. `edited` is the word that is being changed: where that ends without either of
 * them, the focus goes to the field that adds words.
 */
export function useWordFocus(words: readonly ListedWord[], edited: ListedWord | null) {
  const ref = useRef<HTMLDivElement>(null)
  const awaited = useRef<string | null>(null)
  const wasEditing = useRef(false)

  function focusWord(word: string | null | undefined) {
    const rows = [...(ref.current?.querySelectorAll<HTMLElement>('[data-word]') ?? [])]
    const row = rows.find(({ dataset }) => dataset.word === word)
    // The field of a change comes after the one that is hidden while it is open.
    const field = [...(ref.current?.querySelectorAll('textarea') ?? [])].at(-1)
    const target = row?.querySelector('button') ?? field
    target?.focus()
  }

  // After each rendering: the list with a word that was saved is rendered after the form of its change has gone.
  useEffect(() => {
    const hasEnded = wasEditing.current && !edited
    wasEditing.current = edited !== null
    const word = awaited.current
    const isListed = words.some((entry) => entry.word === word)
    if (word === null ? !hasEnded : !isListed) return
    awaited.current = null
    if (isFocusLost()) focusWord(word)
  })

  return {
    ref,
    focusWord,
    /** Waits until the list has the word, and leaves the focus where somebody has put it in the meantime. */
    focusWordOnceListed(word: string) {
      awaited.current = word
    },
  }
}

/** Returns whether the element that had the focus is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
