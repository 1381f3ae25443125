import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { decode } from '../bson/bson-codec.ts'
import { ProtocolError, createFramer, formatReply, parseRequest } from './wire.ts'
import type { Document } from '../bson/values.ts'

/** Returns an OP_MSG with one body and, where given, one document sequence. */
function message(body: Document, sequence?: { name: string; documents: Document[] }): Buffer {
  const parts = [Buffer.from([0]), Buffer.from(serialize(body))]
  if (sequence) {
    const documents = sequence.documents.map((document) => Buffer.from(serialize(document)))
    const content = Buffer.concat([Buffer.from(`${sequence.name}\0`), ...documents])
    const size = Buffer.alloc(4)
    size.writeInt32LE(content.length + 4)
    parts.push(Buffer.from([1]), size, content)
  }
  const payload = Buffer.concat(parts)
  const header = Buffer.alloc(20)
  header.writeInt32LE(payload.length + 20, 0)
  header.writeInt32LE(77, 4)
  header.writeInt32LE(2013, 12)
  return Buffer.concat([header, payload])
}

describe('frames', () => {
  test('come out whole however the bytes arrive', () => {
    const messages = [
      message({ ping: 1 }),
      message({ find: 'a', filter: { x: 'y'.repeat(5000) } }),
      message({ ping: 2 }),
    ]
    const stream = Buffer.concat(messages)
    for (const size of [1, 3, 15, 16, 17, 100, stream.length]) {
      const framer = createFramer()
      const found: Buffer[] = []
      for (let at = 0; at < stream.length; at += size) found.push(...framer.push(stream.subarray(at, at + size)))
      expect(found.map(String)).toEqual(messages.map(String))
    }
  })

  test.each([0, 15, -1, 48_000_001])('with the length %i are refused', (length) => {
    const header = Buffer.alloc(16)
    header.writeInt32LE(length, 0)
    expect(() => createFramer().push(header)).toThrow(ProtocolError)
  })
})

describe('requests', () => {
  test('hold the command, its database and its sequence of documents', () => {
    const documents = [{ _id: 1 }, { _id: 2, text: 'ツ' }]
    const request = parseRequest(message({ insert: 'a', $db: 'test' }, { name: 'documents', documents }))
    expect(request).toEqual({
      id: 77,
      isLegacy: false,
      wantsReply: true,
      sizeBytes: expect.any(Number),
      command: { insert: 'a', $db: 'test', documents },
    })
  })

  test('are refused or read, never more, when bytes of them are wrong', () => {
    const whole = message(
      { insert: 'a', deep: { list: [1, { a: 'b' }] } },
      { name: 'documents', documents: [{ _id: 1 }] },
    )
    for (let at = 4; at < whole.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const broken = Buffer.from(whole)
        broken[at] = value
        expect(isReadOrRefused(broken)).toBe(true)
      }
    }
  })
})

function isReadOrRefused(bytes: Buffer): boolean {
  try {
    parseRequest(bytes)
    return true
  } catch (error) {
    return error instanceof Error
  }
}

test('a request that is cut off is refused', () => {
  const whole = message({ ping: 1, text: 'x' })
  for (let length = 16; length < whole.length; length++)
    expect(() => parseRequest(whole.subarray(0, length))).toThrow(Error)
})

describe('replies', () => {
  const request = { id: 5, isLegacy: false, wantsReply: true, sizeBytes: 16, command: {} }

  test('answer the request by its number', () => {
    const bytes = formatReply(request, { ok: 1 })
    expect(bytes.readInt32LE(0)).toBe(bytes.length)
    expect(bytes.readInt32LE(8)).toBe(5)
    expect(decode(bytes.subarray(21))).toEqual({ ok: 1 })
  })

  test('carry batches of stored documents as they are', () => {
    const documents = Array.from({ length: 12 }, (_, i) => serialize({ _id: i, text: 'x'.repeat(i) }))
    const bytes = formatReply(request, { field: 'nextBatch', documents, id: 9n, namespace: 'test.ü' })
    expect(decode(bytes.subarray(21))).toEqual({
      cursor: { nextBatch: documents.map((document) => decode(document)), id: 9n, ns: 'test.ü' },
      ok: 1,
    })
  })
})
