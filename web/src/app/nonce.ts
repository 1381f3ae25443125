/** The nonce the server put into this page, or nothing where no policy asks for one. */
export function readNonce(): string {
  const meta = document.querySelector('meta[property="csp-nonce"]')
  return meta instanceof HTMLElement ? meta.nonce : ''
}

/** Lets libraries that create their own style elements (scroll locking of dialogs) find the nonce under the name they read. */
export function shareNonce(): void {
  Object.assign(window, { __webpack_nonce__: readNonce() })
}
