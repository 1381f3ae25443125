import { expect, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import type { Check, HostContext } from './context.ts'
import type { Finding } from './finding.ts'
import { renderFindings } from './render.ts'
import { runChecks } from './run-checks.ts'

function makeContext(signal = new AbortController().signal): HostContext {
  const config = readConfig({ DATA_DIR: '/nowhere' })
  const modes = { isThorough: false, isFixing: false }
  return { config, env: {}, ...modes, signal, onProgress: () => undefined, now: () => new Date() }
}

function makeFinding(severity: Finding['severity'], changes: Partial<Finding> = {}): Finding {
  return {
    code: `test.${severity}`,
    severity,
    title: 'Title',
    what: 'What.',
    why: 'Why.',
    remedy: 'Remedy.',
    ...changes,
  }
}

const checkThat = (name: string, run: Check['run']): Check => ({ name, findings: {}, run })

test('a check that throws is a finding, and the others are made', async () => {
  const broken = checkThat('the broken', () => Promise.reject(new Error('No room.')))
  const other = checkThat('other', async () => [makeFinding('warning')])
  expect(await runChecks([broken, other], makeContext())).toMatchObject([
    { code: 'doctor.check_failed', what: 'The check of the broken ended with: No room.' },
    { code: 'test.warning' },
  ])
})

test('an interrupted check ends the run', async () => {
  const abort = new AbortController()
  const interrupted = checkThat('interrupted', async () => {
    abort.abort(new Error('Interrupted'))
    throw new Error('The connection was closed')
  })
  await expect(runChecks([interrupted], makeContext(abort.signal))).rejects.toThrow('Interrupted')
})

test('the worst is printed first, notes only where they are asked for', () => {
  const found = [makeFinding('note'), makeFinding('warning'), makeFinding('problem')]
  const checks = ['one', 'two']
  const problem = 'PROBLEM  test.problem\n  What.\n  Why.\n  -> Remedy.'
  const warning = 'WARNING  test.warning\n  What.\n  Why.\n  -> Remedy.'
  const summary = '1 problem, 1 warning (2 checks).'
  expect(renderFindings(found, { checks, isVerbose: false })).toBe([problem, warning, summary].join('\n\n'))
  const note = 'NOTE  test.note\n  What.\n  Why.\n  -> Remedy.'
  expect(renderFindings(found, { checks, isVerbose: true })).toBe(
    ['Checked: one, two.', problem, warning, note, summary].join('\n\n'),
  )
})

test('what was mended and notes leave no problem', () => {
  const found = [makeFinding('note'), makeFinding('problem', { fixed: 'It was mended.' })]
  expect(renderFindings(found, { checks: ['one'], isVerbose: false })).toBe(
    'FIXED  test.problem\n  What.\n  Why.\n  -> It was mended.\n\nNo problems found (1 check). 1 fixed.',
  )
})
