import {
  BSONRegExp,
  Binary,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  deserialize,
  serialize,
} from 'bson'
import { describe, expect, test } from 'vitest'
import { decode, encode } from './bson-codec.ts'
import type { Document } from './values.ts'

const everyType = {
  double: new Double(5),
  fraction: 1.5,
  negativeZero: new Double(-0),
  infinity: Number.POSITIVE_INFINITY,
  notANumber: Number.NaN,
  int: new Int32(-7),
  long: Long.fromString('-9223372036854775808'),
  smallLong: Long.fromNumber(5),
  text: 'a\0ツ\u{1f600}',
  nothing: null,
  yes: true,
  date: new Date(-1),
  farDate: new Date(8.64e15),
  id: new ObjectId(),
  bytes: new Binary(Buffer.from([0, 255]), 4),
  regex: new BSONRegExp('a/b', 'i'),
  stamp: new Timestamp({ t: 0xffffffff, i: 7 }),
  least: new MinKey(),
  greatest: new MaxKey(),
  list: [1, [], {}, [null, { '': '' }]],
  __proto__field: { ['__proto__']: 1 },
}

test('every kind of value comes back byte by byte, number types included', () => {
  const bytes = serialize(everyType)
  expect(Buffer.from(encode(decode(bytes)))).toEqual(Buffer.from(bytes))
})

test('numbers are read as documented', () => {
  const { double, fraction, int, long, smallLong } = decode(serialize(everyType))
  expect([double, fraction, int, long, smallLong]).toEqual([new Double(5), 1.5, -7, -(2n ** 63n), 5n])
})

test('a field called __proto__ is a field', () => {
  const bytes = serialize(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'))
  const document = decode(bytes)
  expect(Object.keys(document)).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
})

describe('refuses', () => {
  test('what nothing here sends', () => {
    expect(() => decode(serialize({ a: Decimal128.fromString('1.5') }))).toThrow(/0x13 is not supported/)
  })

  test('documents nested too deeply', () => {
    let nested: Document = {}
    for (let depth = 0; depth < 200; depth++) nested = { nested }
    expect(() => decode(serialize(nested))).toThrow(/nested deeper/)
  })

  test('documents that are cut off, at every byte', () => {
    const bytes = serialize(everyType)
    for (let length = 0; length < bytes.length; length++) expect(() => decode(bytes.subarray(0, length))).toThrow(Error)
  })
})

test('agrees with the driver on what a document holds', () => {
  const document = { a: 1, b: [1.5, 'x'], c: { d: new Date(0) }, e: null }
  expect(decode(serialize(document))).toEqual(deserialize(serialize(document)))
})
