/** Returns why passkeys cannot be used here, in words for the user; undefined where they can. */
export function passkeyObstacle(): string | undefined {
  // Browsers offer them on secure pages alone (WebAuthn Level 3, section 13.4.9); http://localhost is one.
  if (!window.isSecureContext) {
    return 'Passkeys need an address that begins with https://. Please ask your administrator for that address.'
  }
  if (typeof window.PublicKeyCredential === 'function') return undefined
  return 'This browser cannot use passkeys. Please open this page in a current browser.'
}
