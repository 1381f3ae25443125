/** A response that was validated and written as JSON elsewhere, such as in a thread. */
export class EncodedJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
