import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allFindings } from './checks.ts'

const root = dirname(dirname(import.meta.dirname))

test('docs/doctor.md lists every finding with its meaning and its remedy', () => {
  const page = readFileSync(join(root, 'docs/doctor.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_.]+)` *\| (\w+) *\| (.*?) *\| (.*?) *\|$/gm)].map((row) => row.slice(1))
  const expected = Object.entries(allFindings).map(([code, { severity, title, why, remedy }]) => [
    code,
    severity,
    `${title}. ${why}`,
    remedy,
  ])
  expect(rows).toEqual(expected)
})

test.each(['audio.missing', 'audio.size', 'audio.damaged'])(
  '%s names the command that restores one recording',
  (code) => {
    const { command = 'none', remedy } = allFindings[code] ?? { remedy: '' }
    expect(command).toBe('npm run awaz -- restore FILE --recording ID')
    expect(remedy).toContain(command)
  },
)
