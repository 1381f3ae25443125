import { expect, it } from 'vitest'
import { parseTime } from './parse-time.ts'

it.each([
  ['0:07', 7],
  ['12:30', 750],
  ['90:00', 5400],
  [' 1:02:09 ', 3729],
])('reads %s as %d seconds', (text, seconds) => {
  expect(parseTime(text)).toBe(seconds)
})

it.each(['', '12', '12:', '12:7', '12:60', 'a:10', '1:2:3:4'])('reads no time from “%s”', (text) => {
  expect(parseTime(text)).toBeUndefined()
})
