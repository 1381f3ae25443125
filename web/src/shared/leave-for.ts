/**
 * Sends the browser to an address outside the app, such as a provider's sign-in page. Returns false, and stays, if it is not an http or
 * https address: another scheme could run as a script in this page.
 */
export function leaveFor(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, href } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  window.location.assign(href)
  return true
}
