import type { KeyboardEvent } from 'react'
import { latinKey } from '../../shared/latin-key.ts'

const keyNames: Record<string, 'next' | 'previous' | 'first' | 'last' | 'leave'> = {
  arrowdown: 'next',
  j: 'next',
  arrowup: 'previous',
  k: 'previous',
  home: 'first',
  end: 'last',
  escape: 'leave',
}

interface ResultKeysOptions {
  /** Called when the user moves back to the field. */
  onLeave: () => void
  /** Called when the user moves beyond the last result. */
  onEnd: () => void
}

/** Returns a handler that moves the focus among the results of a list. */
export function useResultKeys({ onLeave, onEnd }: ResultKeysOptions) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const action = keyNames[latinKey(event)]
    if (!action) return
    event.preventDefault()
    if (action === 'leave') return onLeave()
    const results = listResults(event.currentTarget)
    const current = results.findIndex((result) => result === document.activeElement)
    if (action === 'first') return focusResult(results[0])
    if (action === 'last') return focusResult(results.at(-1))
    if (action === 'next' && current === results.length - 1) return onEnd()
    if (action === 'previous' && current <= 0) return onLeave()
    focusResult(results[current + (action === 'next' ? 1 : -1)])
  }
}

/** Moves the focus to the first result of a list. */
export function focusFirstResult(list: HTMLElement | null): void {
  focusResult(list ? listResults(list)[0] : undefined)
}

/** Moves the focus to a result; if it is no longer in the list, to the first one of its call. */
export function focusResultOf(list: HTMLElement | null, key: string): void {
  const results = list ? listResults(list) : []
  const [recordingId = ''] = key.split(':')
  focusResult(
    results.find((result) => result.dataset.result === key) ??
      results.find((result) => result.dataset.result?.startsWith(recordingId)),
  )
}

/** Returns the links to lines and calls in a list, in order. */
export function listResults(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-result]')]
}

function focusResult(result: HTMLElement | undefined): void {
  result?.focus({ preventScroll: true })
  result?.scrollIntoView({ block: 'nearest' })
}
