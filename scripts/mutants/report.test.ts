import { expect, it } from 'vitest'
import { formatVerdict, summarize } from './report.ts'
import type { Verdict } from './test-mutants.ts'

const mutant = {
  id: 0,
  path: '/root/web/a.ts',
  source: '',
  line: 7,
  start: 0,
  end: 1,
  text: '',
  before: 'a  +\n b',
  after: 'a  -\n b',
}

const verdict = (fields: Partial<Verdict>): Verdict => ({ mutant, isReached: true, ...fields })

it('names the place of a survivor and the change, on one line', () => {
  expect(formatVerdict(verdict({}), '/root')).toBe('web/a.ts:7  a + b  →  a - b')
})

it('says that no test runs the code', () => {
  expect(formatVerdict(verdict({ isReached: false }), '/root')).toContain('(no test runs it)')
})

it('counts what was noticed, and rounds down', () => {
  const verdicts = [verdict({ killedBy: 'a test' }), verdict({ killedBy: 'a test' }), verdict({})]
  expect(summarize(verdicts)).toEqual({ line: 'killed 2 of 3 (66%)', percent: 66 })
})

it('finds nothing wrong with a folder without possible changes', () => {
  expect(summarize([]).percent).toBe(100)
})
