import { createTheme } from '@mantine/core'
import type { FocusEvent } from 'react'

const first = '[data-autofocus], [data-menu-item]:not(:disabled)'

/** Moves the focus to the search field or the first item of a menu as soon as it is there. */
function focusAtOnce(dropdown: HTMLElement | null): void {
  // After the effects of the same render, in which Mantine notes where the focus is to return to.
  queueMicrotask(() => dropdown?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true }))
}

/** Marks what has the focus in a menu as the place where the focus trap puts it. */
function keepFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const marked of currentTarget.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', 'true')
}

/**
 * Menus whose focus moves at once, and stays where it is. Mantine's focus trap moves it only when the page is idle: a key that is pressed before is lost,
 * and one that is pressed just after the focus went to an item chooses the first item instead.
 */
export const menuTheme = createTheme({
  components: { MenuDropdown: { defaultProps: { ref: focusAtOnce, onFocus: keepFocus } } },
})
