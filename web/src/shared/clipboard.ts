/** Copies text. Without the clipboard API, as on a plain-http intranet, uses an off-screen field. Throws if neither works. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext && 'clipboard' in navigator) return await navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.className = 'awaz-offscreen'
  const focused = document.activeElement
  // While a dialog traps the focus, a field in the body could not be selected.
  const home = focused?.closest('[role="dialog"]') ?? document.body
  home.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser refused to copy')
}
