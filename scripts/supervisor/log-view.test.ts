import { fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { chooseLogFormat, isJournal, type LogFormat, type OutputKind } from './log-format.ts'
import { createLogView, createSentenceLog } from './log-view.ts'

const pipe = { isTerminal: false, isJournal: false, isColourless: false }
const terminal = { ...pipe, isTerminal: true }
const journal = { ...pipe, isJournal: true }

type Setting = Parameters<typeof chooseLogFormat>[0]

function show(output: OutputKind, lines: string[], setting: Setting = 'auto'): string {
  let text = ''
  const format = chooseLogFormat(setting, output)
  lines.forEach(createLogView('engine', { format, write: (part) => (text += part) }))
  return text
}

/** Returns the line that pino writes for an entry, with a fixed time of day. */
function logged(write: (log: pino.Logger) => void): string {
  let line = ''
  const log = pino(
    { level: 'trace', base: { service: 'engine', pid: 7 }, timestamp: () => ',"time":1790000000123' },
    { write: (text) => void (line = text.trimEnd()) },
  )
  write(log)
  return line
}

const time = '2026-09-21T14:13:20.123Z'
const failed = logged((log) => {
  const cause = new TypeError('no such layer')
  const err = new AppError('job_failed', 'The work failed.', { cause })
  err.stack = 'AppError: The work failed.\n    at run (job.ts:1:2)'
  cause.stack = 'TypeError: no such layer\n    at load (model.ts:3:4)'
  log.child({ jobId: '65f0' }).warn({ err, isFinal: false, ms: 12 }, 'attempt failed')
})

test('a pipe gets JSON as it was logged, so that programs which parse it go on doing so', () => {
  const lines = [logged((log) => log.info('listening')), failed]
  expect(show(pipe, lines)).toBe(`${lines.join('\n')}\n`)
})

test('what is no entry, such as a crash, is one in JSON too', () => {
  const line = show(pipe, ['SyntaxError: "boom"', ''])
  expect(JSON.parse(line)).toEqual({
    level: 40,
    time: expect.any(Number),
    service: 'engine',
    msg: 'SyntaxError: "boom"',
  })
})

test('a plain entry is one line, with its error, the causes and their stacks below', () => {
  expect(show(pipe, [failed], 'plain')).toBe(
    [
      `${time} warning engine: attempt failed jobId=65f0 isFinal=false ms=12 error="AppError: The work failed.: no such layer" code=job_failed`,
      '    at run (job.ts:1:2)',
      '    caused by: TypeError: no such layer',
      '    at load (model.ts:3:4)',
      '',
    ].join('\n'),
  )
})

test('the journal gets the priority of each line and no time, because it adds that', () => {
  expect(show(journal, [logged((log) => log.info({ kind: 'x y' }, 'job began')), failed, 'Segmentation fault'])).toBe(
    [
      '<6>info    engine: job began kind="x y"',
      '<4>warning engine: attempt failed jobId=65f0 isFinal=false ms=12 error="AppError: The work failed.: no such layer" code=job_failed',
      '<4>    at run (job.ts:1:2)',
      '<4>    caused by: TypeError: no such layer',
      '<4>    at load (model.ts:3:4)',
      '<4>warning engine: Segmentation fault',
      '',
    ].join('\n'),
  )
})

test.each([
  ['trace', 7],
  ['debug', 7],
  ['info', 6],
  ['warn', 4],
  ['error', 3],
  ['fatal', 2],
] as const)('%s is priority %i of the journal, in JSON as well', (level, priority) => {
  const line = logged((log) => log[level]('x'))
  expect(show(journal, [line])).toMatch(
    new RegExp(`^<${priority}>${level === 'warn' ? 'warning' : level} +engine: x\n$`),
  )
  expect(show(journal, [line], 'json')).toBe(`<${priority}>${line}\n`)
})

test('a terminal gets the time of day, and colours unless NO_COLOR is set', () => {
  const colourless = show({ ...terminal, isColourless: true }, [failed])
  expect(colourless).toMatch(/^\d\d:\d\d:\d\d warning engine: attempt failed jobId=65f0/)
  expect(colourless).not.toContain('\u001b')
  expect(show(terminal, [failed])).toContain('\u001b[33mwarning\u001b[39m engine:')
  expect(show(terminal, [failed], 'json')).toBe(`${failed}\n`)
})

test('no value begins another entry, moves the cursor or turns the direction of the text', () => {
  const forged = logged((log) => log.warn({ reason: 'a\n<0>fatal server x', host: 'a\u202eb' }, 'b\u001b[2J\nc'))
  expect(show(journal, [forged])).toBe(
    String.raw`<4>warning engine: b\u001b[2J\u000ac reason="a\n<0>fatal server x" host="a\u202eb"` + '\n',
  )
})

test('sentences of the supervisor are entries, each line one', () => {
  let text = ''
  const format: LogFormat = chooseLogFormat('auto', journal)
  createSentenceLog({ format, write: (part) => (text += part) })('\n  Awaz is running at x\n\n  Models          none\n')
  expect(text).toBe('<6>info    supervisor: Awaz is running at x\n<6>info    supervisor: Models: none\n')
})

test('output leads to the journal where JOURNAL_STREAM names its own device and inode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'awaz-journal-'))
  const descriptor = openSync(join(folder, 'stream'), 'w')
  const { dev, ino } = fstatSync(descriptor)
  expect(isJournal(`${dev}:${ino}`, descriptor)).toBe(true)
  expect(isJournal(`${dev}:${ino + 1}`, descriptor)).toBe(false)
  expect(isJournal(undefined, descriptor)).toBe(false)
  expect(isJournal(`${dev}:${ino}`, 9999)).toBe(false)
  rmSync(folder, { recursive: true })
})
