import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const folder = join(root, 'docker', 'monitoring')
const rulesPath = join(folder, 'awaz.rules.yml')
const rulesTestPath = join(folder, 'awaz.rules.test.yml')

const readPage = () => readFile(join(root, 'docs', 'monitoring.md'), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).toSorted()

test('every alert has a cause that is tested, and a row that says what to do', async () => {
  const alerts = namesIn(await readFile(rulesPath, 'utf8'), /- alert: (\w+)/g)
  expect(alerts.length).toBeGreaterThan(20)
  expect(namesIn(await readFile(rulesTestPath, 'utf8'), /alertname: (\w+)/g)).toEqual(alerts)
  expect(namesIn(await readPage(), /^\| (Awaz\w+) /gm)).toEqual(alerts)
})

test.each(['awaz.rules.yml', 'awaz-dashboard.json'])('%s uses metrics that exist', async (name) => {
  const page = await readPage()
  const exposed = new Set(namesIn(page, /^\| `(awaz_\w+)/gm))
  const used = namesIn(await readFile(join(folder, name), 'utf8'), /\b(awaz_[a-z_]+[a-z])\b(?!-)/g)
  const missing = used.filter((each) => each && !exposed.has(each.replace(/_bucket$/, '')))
  expect(used.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test.skipIf(lacks('prometheus'))('Prometheus accepts the rules, and each alert fires on its cause', () => {
  const run = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8' })
  expect(run('check', 'rules', rulesPath)).toContain('SUCCESS')
  expect(run('test', 'rules', rulesTestPath)).toContain('SUCCESS')
})
