/**
 * Returns whether this page can use passkeys: browsers offer them only on secure pages (WebAuthn Level 3, section 13.4.9), of which
 * http://localhost is one.
 */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}
