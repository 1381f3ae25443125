import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listPackages } from './contents.ts'
import { collectNotices, formatNotices } from './notices.ts'

const root = join(import.meta.dirname, '../..')

test('every package of the release and every native part has its licence with its text', async () => {
  const lockfile: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const notices = await collectNotices(root, listPackages(lockfile, { arch: process.arch, hasOwnFfmpeg: false }))
  expect(notices.length).toBeGreaterThan(300)
  expect(notices.filter(({ text }) => text.length < 300).map(({ name }) => name)).toEqual([])
  const text = formatNotices(notices)
  for (const name of ['koa 3', 'whisper.cpp', 'llama.cpp', 'ONNX Runtime', 'Silero VAD', 'CAM++']) {
    expect(text).toContain(name)
  }
  expect(text).toContain('Copyright (c) 2013 Nathan Rajlich')
  const named = notices.filter(({ name }) => !text.includes(name))
  expect(named).toEqual([])
})

test('packages with one text share it', () => {
  const text = formatNotices([
    { name: 'b 2.0.0', licence: 'MIT', text: 'Copyright X\n' },
    { name: 'a 1.0.0', licence: 'MIT', text: 'Copyright X' },
  ])
  expect(text).toContain('a 1.0.0 (MIT)\nb 2.0.0 (MIT)\n\nCopyright X\n')
})
