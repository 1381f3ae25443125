/** Decodes base64. Reads byte by byte, because some supported browsers do not have `Uint8Array.fromBase64` yet. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
