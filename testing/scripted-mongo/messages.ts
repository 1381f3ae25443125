import { decode, encode } from '#server/embedded-db/bson/bson-codec.ts'
import type { Document } from '#server/embedded-db/bson/values.ts'
import type { Request } from '#server/embedded-db/wire/wire.ts'

const opMsg = 2013
const headerBytes = 16
/** Offset of the document in an OP_MSG, after the header, the flags and the kind of its only section. */
const messageBodyAt = 21
/** Offset of the document in an OP_REPLY. */
const replyBodyAt = 36

/** Returns the bytes that send a command with the number of its original request. */
export function formatRequest({ id }: Request, command: Document): Buffer {
  const body = encode(command)
  const message = Buffer.alloc(messageBodyAt + body.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(id, 4)
  message.writeInt32LE(opMsg, 12)
  message.set(body, messageBodyAt)
  return message
}

/** Returns a message's document and the number of the request that it answers. */
export function parseReply(message: Buffer): { responseTo: number; reply: Document } {
  const bodyAt = message.readInt32LE(12) === opMsg ? messageBodyAt : replyBodyAt
  return { responseTo: responseToOf(message), reply: decode(message.subarray(bodyAt)) }
}

export function responseToOf(message: Buffer): number {
  return message.readInt32LE(headerBytes / 2)
}

/** Returns the name of a command: its first field. */
export function commandName(command: Document): string {
  return Object.keys(command)[0] ?? ''
}
