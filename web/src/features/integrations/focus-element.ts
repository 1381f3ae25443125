/** A ref callback that focuses an element appearing in an open dialog; the dialog itself only sets the focus when it opens. */
export function focusElement(element: HTMLElement | null): void {
  element?.focus()
}
