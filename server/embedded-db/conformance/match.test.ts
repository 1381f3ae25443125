import { BSONRegExp, ObjectId, type Document } from 'mongodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()
const id = new ObjectId()

const storedDocuments: (Document & { _id: string })[] = [
  { _id: 'missing' },
  { _id: 'null', a: null },
  { _id: 'five', a: 5 },
  { _id: 'text', a: 'Five' },
  { _id: 'nine', a: 9 },
  { _id: 'list', a: [1, 5, 20] },
  { _id: 'empty', a: [] },
  { _id: 'nulls', a: [null, 2] },
  { _id: 'object', a: { b: 1, c: 2 } },
  { _id: 'objects', a: [{ b: 1, c: 9 }, { b: 7, c: 2 }, { c: 3 }] },
  { _id: 'nested', a: [[1, 5]] },
  { _id: 'date', a: new Date(1000) },
  { _id: 'id', a: id },
  { _id: 'bool', a: false },
]

beforeAll(async () => {
  await contract.db.collection<{ _id: string }>('values').insertMany(storedDocuments)
  const indexed = contract.db.collection<{ _id: string }>('indexed')
  await indexed.createIndexes([{ key: { a: 1 } }, { key: { 'a.b': -1 } }])
  await indexed.insertMany(storedDocuments)
})

const matchCases: [string, Document, string][] = [
  ['equality reaches array elements', { a: 5 }, 'five list'],
  ['equality of a whole array, or of an element that is one', { a: [1, 5] }, 'nested'],
  ['equality of a document wants the same fields in order', { a: { b: 1, c: 2 } }, 'object'],
  ['equality of a document in another order fails', { a: { c: 2, b: 1 } }, ''],
  ['null is also missing, and an element', { a: null }, 'missing null nulls'],
  ['null below documents of an array', { 'a.b': null }, 'missing null five text nine objects date id bool'],
  [
    '$ne excludes whatever contains the value',
    { a: { $ne: 5 } },
    'missing null text nine empty nulls object objects nested date id bool',
  ],
  ['ranges stay within a type', { a: { $gt: 4 } }, 'five nine list'],
  ['two bounds may be met by two elements', { a: { $gt: 15, $lt: 2 } }, 'list'],
  ['$elemMatch wants one element for both bounds', { a: { $elemMatch: { $gt: 4, $lt: 6 } } }, 'list'],
  ['$gte null is null', { a: { $gte: null } }, 'missing null nulls'],
  ['$in takes several types', { a: { $in: [9, 'Five', id] } }, 'text nine id'],
  ['$in takes null', { a: { $in: [null, 9] } }, 'missing null nine nulls'],
  ['$in takes an expression', { a: { $in: [/^fi/i] } }, 'text'],
  ['$nin excludes missing with null', { a: { $nin: [null, 5] } }, 'text nine empty object objects nested date id bool'],
  ['$exists true', { a: { $exists: true } }, 'null five text nine list empty nulls object objects nested date id bool'],
  ['$exists false', { a: { $exists: false } }, 'missing'],
  ['$type of a name', { a: { $type: 'objectId' } }, 'id'],
  ['$type number reaches elements', { a: { $type: 'number' } }, 'five nine list nulls'],
  ['$type array', { a: { $type: 'array' } }, 'list empty nulls objects nested'],
  ['$size', { a: { $size: 0 } }, 'empty'],
  ['$regex without its option is exact', { a: { $regex: '^five' } }, ''],
  ['$regex with i', { a: { $regex: '^five', $options: 'i' } }, 'text'],
  ['an expression as value', { a: new BSONRegExp('IVE$', 'i') }, 'text'],
  [
    '$not negates, missing included',
    { a: { $not: { $gte: 5 } } },
    'missing null text empty nulls object objects nested date id bool',
  ],
  ['$not of an expression', { a: { $not: /five/i }, _id: { $in: ['text', 'five'] } }, 'five'],
  ['paths walk into arrays', { 'a.b': 7 }, 'objects'],
  ['paths take an index', { 'a.1': 5 }, 'list'],
  ['paths take an index and a field', { 'a.1.b': 7 }, 'objects'],
  ['two paths may be met by two elements', { 'a.b': 1, 'a.c': 2 }, 'object objects'],
  ['$elemMatch on documents', { a: { $elemMatch: { b: 1, c: 2 } } }, ''],
  ['$all', { a: { $all: [5, 20] } }, 'list'],
  ['$all of a scalar', { a: { $all: [9] } }, 'nine'],
  ['$and', { $and: [{ a: { $gt: 4 } }, { a: { $lt: 6 } }] }, 'five list'],
  ['$or', { $or: [{ a: 9 }, { 'a.b': 1 }] }, 'nine object objects'],
  ['$nor', { $nor: [{ a: { $exists: true } }] }, 'missing'],
  ['dates', { a: { $lte: new Date(1000) } }, 'date'],
  ['booleans', { a: false }, 'bool'],
  ['$expr compares across types', { $expr: { $eq: [{ $ifNull: ['$a', 'none'] }, 'none'] } }, 'missing null'],
  ['$expr knows the time of the database', { $expr: { $lt: ['$a', '$$NOW'] }, a: { $type: 'date' } }, 'date'],
  ['an empty $in finds nothing', { a: { $in: [] } }, ''],
]

describe.each(['values', 'indexed'])('filters on the collection %s', (name) => {
  test.each(matchCases)('%s', async (_, filter, expected) => {
    const found = await contract.db.collection<{ _id: string }>(name).find(filter).toArray()
    expect(found.map(({ _id }) => _id).toSorted()).toEqual(expected.split(' ').filter(Boolean).toSorted())
  })
})

const refusedCases: [string, Document, number][] = [
  ['an unknown operator', { a: { $unknown: 1 } }, 2],
  ['an unknown operator at the top', { $nothing: 1 }, 2],
  ['$in without an array', { a: { $in: 5 } }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$size of a text', { a: { $size: 'x' } }, 2],
  ['a wrong expression', { a: { $regex: '(' } }, 51091],
]

describe('refused filters', () => {
  test.each(refusedCases)('%s', async (_, filter, code) => {
    await expect(contract.db.collection('values').find(filter).toArray()).rejects.toMatchObject({ code })
  })
})
