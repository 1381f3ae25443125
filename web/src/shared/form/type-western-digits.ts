import { westernDigits } from '#contract/western-digits.ts'

/**
 * Makes number fields accept Persian and Arabic-Indic digits, typed or pasted, as the Western digits they stand for. Number fields are
 * those with a numeric keyboard, including fields of libraries that would drop such digits. Returns a function that stops it.
 */
export function typeWesternDigits(target: Document): () => void {
  const controller = new AbortController()
  target.addEventListener('beforeinput', insertWesternDigits, { capture: true, signal: controller.signal })
  return () => controller.abort()
}

function insertWesternDigits(event: InputEvent): void {
  const { target: field, data } = event
  if (!(field instanceof HTMLInputElement) || !['numeric', 'decimal'].includes(field.inputMode)) return
  if (data === null || field.readOnly || field.disabled) return
  const western = westernDigits(data)
  if (western === data) return
  event.preventDefault()
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
  const room = field.maxLength < 0 ? western.length : Math.max(0, field.maxLength - field.value.length + end - start)
  const inserted = western.slice(0, room)
  // React notices a change only if it is made through the element's native setter.
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setValue?.call(field, field.value.slice(0, start) + inserted + field.value.slice(end))
  field.setSelectionRange(start + inserted.length, start + inserted.length)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: inserted, inputType: 'insertText' }))
}
