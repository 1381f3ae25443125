/** Returns the bytes of a base64 text. They are read one by one: `Uint8Array.fromBase64` is younger than the browsers that are supported. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
