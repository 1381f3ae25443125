/** Returns the nonce that the server put into this page, or an empty string if no policy requires one. */
export function readNonce(): string {
  const meta = document.querySelector('meta[property="csp-nonce"]')
  return meta instanceof HTMLElement ? meta.nonce : ''
}

/** Lets libraries that create their own style elements (scroll locking of dialogs) find the nonce under the name they read. */
export function shareNonce(): void {
  Object.assign(window, { __webpack_nonce__: readNonce() })
}
