import { decode, encode } from '../bson/bson-codec.ts'
import { isCursorBatch } from '../commands/cursors.ts'
import type { Reply } from '../engine.ts'
import { CommandError } from '../errors.ts'
import { setField, type Document } from '../bson/values.ts'

const headerBytes = 16
const opReply = 1
const opQuery = 2004
const opMsg = 2013
const maxMessageBytes = 48_000_000
const checksumPresent = 1
const moreToCome = 2

export class ProtocolError extends Error {}

/** A command as received. */
export interface Request {
  id: number
  /** Drivers open a connection with OP_QUERY, whose reply has a different format. */
  isLegacy: boolean
  /** False for an unacknowledged write. */
  wantsReply: boolean
  command: Document
  sizeBytes: number
  /** An error in the content of the message: it is sent as the reply, and the connection stays open. */
  refusal?: CommandError
}

/** Splits a byte stream into messages. */
export function createFramer(): { push(chunk: Buffer): Buffer[] } {
  let chunks: Buffer[] = []
  let pending = 0

  function takeMessage(): Buffer | undefined {
    if (pending < headerBytes) return undefined
    if ((chunks[0]?.length ?? 0) < 4) chunks = [Buffer.concat(chunks)]
    const length = chunks[0]?.readInt32LE(0) ?? 0
    if (length < headerBytes || length > maxMessageBytes) throw new ProtocolError(`a message of ${length} bytes`)
    if (pending < length) return undefined
    const joined = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    pending -= length
    chunks = pending > 0 ? [joined.subarray(length)] : []
    return joined.subarray(0, length)
  }

  return {
    push(chunk) {
      chunks.push(chunk)
      pending += chunk.length
      const messages: Buffer[] = []
      for (let message = takeMessage(); message; message = takeMessage()) messages.push(message)
      return messages
    },
  }
}

/**
 * Parses a message; an error in reading its documents becomes the request's refusal.
 *
 * @throws ProtocolError for anything but OP_MSG and the OP_QUERY of a handshake, and for sections that do not fit the message.
 */
export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4)
  const operation = message.readInt32LE(12)
  if (operation === opMsg) return parseMessage(id, message)
  if (operation === opQuery) return parseLegacyQuery(id, message)
  throw new ProtocolError(`the operation ${operation} is not supported`)
}

function parseLegacyQuery(id: number, message: Buffer): Request {
  const nameEnd = message.indexOf(0, 20)
  const namespace = message.toString('utf8', 20, nameEnd)
  const body = documentAt(message, nameEnd + 9)
  return withCommand({ id, isLegacy: true, wantsReply: true, sizeBytes: message.length }, () => {
    const command = decode(body)
    command.$db = namespace.split('.')[0]
    return command
  })
}

function parseMessage(id: number, message: Buffer): Request {
  const flags = message.readUInt32LE(headerBytes)
  const end = message.length - (flags & checksumPresent ? 4 : 0)
  const bodies: Buffer[] = []
  const sequences: Buffer[] = []
  let at = headerBytes + 4
  while (at < end) {
    const kind = message.readUInt8(at)
    const size = message.readInt32LE(at + 1)
    if (size < 5 || at + 1 + size > end) throw new ProtocolError('a section is cut off')
    if (kind === 0) bodies.push(message.subarray(at + 1, at + 1 + size))
    else if (kind === 1) sequences.push(message.subarray(at + 5, at + 1 + size))
    else throw new ProtocolError(`a section of kind ${kind}`)
    at += 1 + size
  }
  const [body] = bodies
  if (!body) throw new ProtocolError('a message without a command')
  return withCommand({ id, isLegacy: false, wantsReply: (flags & moreToCome) === 0, sizeBytes: message.length }, () => {
    const command = decode(body)
    for (const section of sequences) addSequence(command, section)
    return command
  })
}

function withCommand(request: Omit<Request, 'command'>, read: () => Document): Request {
  try {
    return { ...request, command: read() }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { ...request, command: {}, refusal: error }
  }
}

function addSequence(command: Document, section: Buffer): void {
  const nameEnd = section.indexOf(0)
  if (nameEnd < 0) throw new ProtocolError('a sequence without a name')
  const documents: Document[] = []
  for (let at = nameEnd + 1; at < section.length;) {
    const bytes = documentAt(section, at)
    documents.push(decode(bytes))
    at += bytes.length
  }
  setField(command, section.toString('utf8', 0, nameEnd), documents)
}

function documentAt(buffer: Buffer, at: number): Buffer {
  const length = buffer.readInt32LE(at)
  if (length < 5 || at + length > buffer.length) throw new ProtocolError('a document is cut off')
  return buffer.subarray(at, at + length)
}

let lastResponseId = 0

/** Returns the bytes of the response to a request. */
export function formatReply(request: Request, reply: Reply): Buffer {
  const body = encodeReply(reply)
  if (!request.isLegacy) return frame(opMsg, request.id, [Buffer.alloc(5), body])
  const fields = Buffer.alloc(20)
  fields.writeInt32LE(8, 0)
  fields.writeInt32LE(1, 16)
  return frame(opReply, request.id, [fields, body])
}

function frame(operation: number, responseTo: number, parts: Uint8Array[]): Buffer {
  const header = Buffer.alloc(headerBytes)
  lastResponseId = (lastResponseId + 1) % 0x7fffffff
  header.writeInt32LE(
    parts.reduce((total, part) => total + part.length, headerBytes),
    0,
  )
  header.writeInt32LE(lastResponseId, 4)
  header.writeInt32LE(responseTo, 8)
  header.writeInt32LE(operation, 12)
  return Buffer.concat([header, ...parts])
}

/** Sends a batch as `{cursor: {id, ns, firstBatch: [...]}, ok: 1}` around the stored bytes, without decoding them. */
function encodeReply(reply: Reply): Uint8Array {
  if (!isCursorBatch(reply)) return encode(reply)
  const elements = reply.documents.flatMap((document, index) => [elementHeader(0x03, String(index)), document])
  const batch = wrapDocument(elements)
  const rest = encode({ id: reply.id, ns: reply.namespace })
  const cursor = wrapDocument([elementHeader(0x04, reply.field), batch, rest.subarray(4, -1)])
  return wrapDocument([elementHeader(0x03, 'cursor'), cursor, encode({ ok: 1 }).subarray(4, -1)])
}

function elementHeader(type: number, name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1')
}

function wrapDocument(parts: Uint8Array[]): Buffer {
  const length = parts.reduce((total, part) => total + part.length, 5)
  const size = Buffer.alloc(4)
  size.writeInt32LE(length)
  return Buffer.concat([size, ...parts, Buffer.alloc(1)])
}
