import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { isObjectId, newId, toObjectId, withId } from './ids.ts'

test('a new id is an id and differs from the one before', () => {
  const id = newId()
  expect(isObjectId(id)).toBe(true)
  expect(newId()).not.toBe(id)
})

test('an id survives the way to an ObjectId and back', () => {
  const id = newId()
  expect(toObjectId(id).toHexString()).toBe(id)
})

test.each(['', 'abc', 'twelve bytes', 'g'.repeat(24), `${'a'.repeat(24)}\n`, 'a'.repeat(25)])(
  'refuses %j as an id',
  (text) => {
    expect(isObjectId(text)).toBe(false)
    expect(() => toObjectId(text)).toThrow('24 hex digits')
  },
)

test('a record carries its id as text, and no _id', () => {
  const _id = new Types.ObjectId()
  expect(withId({ _id, name: 'call.wav', size: 3 })).toEqual({ id: _id.toHexString(), name: 'call.wav', size: 3 })
})
