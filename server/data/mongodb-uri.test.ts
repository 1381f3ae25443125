import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test.each([
  ['postgres://me:s3cret@db/awaz', 'must begin with mongodb:// or mongodb+srv://'],
  ['mongodb://', 'names no host'],
  ['mongodb://db.example.org,/awaz', 'names no host'],
  ['mongodb://me:s3cret', '(mongodb://me:***) names no host, or has a port that is not a number'],
  ['mongodb://me:s3cret@db.example.org:27o17/awaz', '(mongodb://me:***@db.example.org:27o17/awaz) names no host, or'],
  ['mongodb://me:s3@cret@db.example.org/awaz', '(mongodb://me:***@db.example.org/awaz) has a sign in the user'],
  ['mongodb://me:s3/cret@db.example.org/awaz', '(mongodb://me:***@db.example.org/awaz) has a sign in the user'],
  ['mongodb://me:s3?cret=@db.example.org/awaz', '(mongodb://me:***@db.example.org/awaz) has a'],
  ['mongodb://me:s3%cret@db.example.org/awaz', '(mongodb://me:***@db.example.org/awaz) has a sign in the user'],
  ['mongodb+srv://me:s3cret@db.example.org:27017/awaz', 'must not name a port'],
  [
    'mongodb://me:s3cret@db/awaz?replicaset=rs0&fsync=1&tyops=1',
    '/awaz?…) has an option that MongoDB does not know, tyops',
  ],
  ['mongodb://me:s3cret@db/awaz?replicaSet', 'has no value for the option replicaSet'],
  ['mongodb://me:s3cret@db/awaz?tls=maybe', 'has an option with a value that MongoDB does not take'],
  ['mongodb://me:s3cret@db/awaz%20calls', 'has a name of a database that MongoDB refuses'],
])('refuses MONGODB_URI %s with one sentence without its password', (uri, sentence) => {
  let message = ''
  try {
    readConfig({ MONGODB_URI: uri })
  } catch (error) {
    message = String(error)
  }
  expect(message).toContain(
    `MONGODB_URI ${sentence.startsWith('(') || sentence.startsWith('must begin') ? sentence : '('}`,
  )
  expect(message).toContain(sentence)
  expect(message).toContain('mongodb://user:password@db.example.org:27017/awaz')
  expect(message.split('\n')).toHaveLength(2)
  expect(message).not.toMatch(/s3|cret/)
})

test.each([
  'mongodb://db.example.org',
  'mongodb://me:s3%40cret@one:27017,two:27018/awaz?replicaSet=rs0&w=2',
  'mongodb+srv://me:s3cret@db.example.org/awaz?retryWrites=true',
  'mongodb://%2Ftmp%2Fawaz.sock/awaz',
  'mongodb://[::1]:27017/awaz',
])('takes MONGODB_URI %s', (uri) => {
  expect(readConfig({ MONGODB_URI: uri }).mongodbUri).toBe(uri)
})
