import { useEffect, type RefObject } from 'react'
import { latinKey } from '../../shared/latin-key.ts'

/** Where keys belong to what is focused: fields, and layers above the page. */
const keyOwners = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** The slash key focuses the field from anywhere on the page. */
export function useFieldKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (latinKey(event) !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLElement && event.target.closest(keyOwners)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [field])
}
