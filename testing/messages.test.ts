import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMessages } from './messages.ts'

const specification = join(import.meta.dirname, '..', '..', 'shared', 'spec', 'accounts-and-access.md')
const rows = readMessages()

test('names each situation once', () => {
  expect(rows.length).toBeGreaterThan(50)
  expect(new Set(rows.map(({ situation }) => situation)).size).toBe(rows.length)
})

test.skipIf(!existsSync(specification))('has the words of the specification in the section it names', () => {
  const sections = new Map(
    readFileSync(specification, 'utf8')
      .split(/^## /m)
      .map((part) => [part.slice(0, part.indexOf('.')), part]),
  )
  // A full stop at the end may be that of the specification's own sentence.
  const missing = rows.filter(
    ({ text, section }) => section !== 'ours' && !sections.get(section)?.includes(text.replace(/\.$/, '')),
  )
  expect(missing).toEqual([])
})
