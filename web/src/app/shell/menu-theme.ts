import { createTheme } from '@mantine/core'
import type { FocusEvent } from 'react'

const first = '[data-autofocus], [data-menu-item]:not(:disabled)'

/** Moves the focus to the search field or the first item of a menu as soon as the menu is rendered. */
function focusAtOnce(dropdown: HTMLElement | null): void {
  // Runs after the effects of the same render, in which Mantine records where to return the focus.
  queueMicrotask(() => dropdown?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true }))
}

/** Marks the focused element of a menu as the one that the focus trap focuses. */
function keepFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const marked of currentTarget.querySelectorAll('[data-autofocus]')) marked.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', 'true')
}

/**
 * Makes the focus move into menus immediately, and stay where it is. Mantine's focus trap moves it only once the page is idle: a key
 * pressed before that is lost, and one pressed just after the focus moved to an item chooses the first item instead.
 */
export const menuTheme = createTheme({
  components: { MenuDropdown: { defaultProps: { ref: focusAtOnce, onFocus: keepFocus } } },
})
