import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMessages } from './messages.ts'

const root = join(import.meta.dirname, '..')
const specification = join(root, '..', 'shared', 'spec', 'audio-workflow.md')
const list = readFileSync(join(root, 'docs', 'specification.md'), 'utf8')

/** Rows of the audio workflow: number, the text that the statement quotes, and its test files. */
const rows = list
  .split('\n')
  .filter((line) => /^\| W\d+ /.test(line))
  .map((line) => {
    const [, number = '', statement = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    const quotes = [...statement.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words)
    return { number, quotes, files: [...tests.matchAll(/`([^`]+\.tsx?)` ›/g)].map(([, path = '']) => path) }
  })

const messages = readMessages('messages-web.md').map(({ text }) => text)

/** Returns whether a test or the message table contains the words; in tests, a placeholder such as `{name}` stands for anything. */
function isAsserted(words: string, files: string[]): boolean {
  if (messages.includes(words)) return true
  const parts = words.split(/\{[^}]*\}/)
  return files.some((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    return parts.every((part) => source.includes(part))
  })
}

test('what a statement of the audio workflow quotes stands in a test that it names', () => {
  const quoted = rows.filter(({ quotes, files }) => quotes.length > 0 && files.length > 0)
  expect(quoted.length).toBeGreaterThan(40)
  const missing = quoted.flatMap(({ number, quotes, files }) =>
    quotes.filter((words) => !isAsserted(words, files)).map((words) => `${number} ${words}`),
  )
  expect(missing).toEqual([])
})

test.skipIf(!existsSync(specification))('every message of the error catalogue is quoted', () => {
  const [, catalogue = ''] = readFileSync(specification, 'utf8').split('## 8. Error catalogue')
  const sentences = [...catalogue.matchAll(/^\| (?!Situation|-)[^|]+\| ([^|]+) \|$/gm)].flatMap(([, cell = '']) =>
    cell
      .split('; ')
      .filter((part) => /^[A-Z]/.test(part))
      .map((part) => part.replace(/ If the error.*| \([^)]*\)$/, '')),
  )
  const quotes = new Set(rows.flatMap((row) => row.quotes))
  expect(sentences.length).toBeGreaterThan(14)
  expect(sentences.filter((sentence) => !quotes.has(sentence))).toEqual([])
})
