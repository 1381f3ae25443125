import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMessages } from './messages.ts'

const root = join(import.meta.dirname, '..')
const specification = join(root, '..', 'shared', 'spec', 'accounts-and-access.md')

/** Returns the specification's sections by number. */
function readSections() {
  return new Map(
    readFileSync(specification, 'utf8')
      .split(/^## /m)
      .map((part) => [part.slice(0, part.indexOf('.')), part]),
  )
}

describe.each([
  ['messages.md', 50],
  ['messages-web.md', 45],
] as const)('docs/%s', (fileName, minRows) => {
  const rows = readMessages(fileName)

  test('names each situation once', () => {
    expect(rows.length).toBeGreaterThan(minRows)
    expect(new Set(rows.map(({ situation }) => situation)).size).toBe(rows.length)
  })

  test.skipIf(!existsSync(specification))('quotes the specification section that it names', () => {
    const sections = readSections()
    // A final period may belong to the specification's own sentence.
    const missing = rows.filter(
      ({ text, section }) => section !== 'ours' && !sections.get(section)?.includes(text.replace(/\.$/, '')),
    )
    expect(missing).toEqual([])
  })
})

test.skipIf(!existsSync(specification))('every toast of section 8 is a row of the web table', () => {
  const toasts = [...(readSections().get('8') ?? '').matchAll(/^- (?:Failure|Success): (.*)$/gm)]
    .flatMap(([, list = '']) => list.replace(/ \([^)]*\)/g, '').split('; '))
    .map((text) => text.replace(/\.$/, ''))
  const texts = new Set(readMessages('messages-web.md').map(({ text }) => text.replace(/\.$/, '')))
  expect(toasts.length).toBeGreaterThan(25)
  expect(toasts.filter((text) => !texts.has(text))).toEqual([])
})

test('each sentence of docs/messages.md is expected by a test, by its situation or by its words', () => {
  const patterns = ['{server,testing}/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}']
  const tests = globSync(patterns, { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const isExpected = (text: string) => text.split(/\bN\b/).every((part) => tests.includes(part))
  const unexpected = readMessages().filter(
    ({ situation, text }) => !tests.includes(`'${situation}'`) && !isExpected(text),
  )
  expect(unexpected).toEqual([])
})
