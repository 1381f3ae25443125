/** A response already validated and encoded as JSON elsewhere, for example in a thread. */
export class EncodedJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
