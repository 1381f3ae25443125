/**
 * Returns whether this page can use passkeys: browsers offer them only on secure pages (WebAuthn Level 3, section 13.4.9), which include
 * http://localhost.
 */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}
