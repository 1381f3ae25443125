import type { FocusEvent } from 'react'

// Mantine's focus trap moves the focus into a menu that opens only when the page is idle: a key that is pressed before is lost, and one that is pressed just
// after it went to an item chooses the first item instead. So the focus moves at once, and stays where it is when the trap looks for a place.

const first = '[data-autofocus], [data-menu-item]:not(:disabled)'

/** A ref for the dropdown of a menu: moves the focus to its search field or first item as soon as it is there. */
export function focusAtOnce(dropdown: HTMLElement | null): void {
  // After the effects of the same render, in which Mantine notes where the focus is to return to.
  queueMicrotask(() => {
    if (!dropdown?.isConnected || dropdown.contains(document.activeElement)) return
    dropdown.querySelector<HTMLElement>(first)?.focus({ preventScroll: true })
  })
}

/** Marks what has the focus in a menu as the place where the focus trap puts it. */
export function keepFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const marked of currentTarget.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', 'true')
}
