import { useEffect, useRef } from 'react'
import type { ListedWord } from '#contract/word-lists.ts'

/**
 * Returns a ref for the element around the forms and the list, and two functions that move the focus to the Edit button of a word, or to
 * the field of the form if the list does not show the word. `edited` is the word being changed: if that ends without a call of either
 * function, the focus moves to the field that adds words.
 */
export function useWordFocus(words: readonly ListedWord[], edited: ListedWord | null) {
  const ref = useRef<HTMLDivElement>(null)
  const awaited = useRef<string | null>(null)
  const wasEditing = useRef(false)

  function focusWord(word: string | null | undefined) {
    const rows = [...(ref.current?.querySelectorAll<HTMLElement>('[data-word]') ?? [])]
    const row = rows.find(({ dataset }) => dataset.word === word)
    // The field of a change comes after the one for adding words, which is hidden in the meantime.
    const field = [...(ref.current?.querySelectorAll('textarea') ?? [])].at(-1)
    const target = row?.querySelector('button') ?? field
    target?.focus()
  }

  // Runs after each render: the list with a saved word is rendered only after the form of its change has disappeared.
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
    /** Waits until the list has the word, and does not touch the focus if the user has moved it in the meantime. */
    focusWordOnceListed(word: string) {
      awaited.current = word
    },
  }
}

/** Returns whether the focused element has disappeared. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
