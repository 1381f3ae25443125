/** A ref that moves the focus to what appears in an open dialog: the dialog itself does so only when it opens. */
export function focusElement(element: HTMLElement | null): void {
  element?.focus()
}
