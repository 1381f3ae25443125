import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createInterfaceTexts, findProblem } from './interface-texts.ts'

const silent = { warn: () => undefined }

describe('texts of the interface', () => {
  it('have no script in English, whose texts are in the code', async () => {
    const texts = createInterfaceTexts({ correctionsDir: await temporaryFolder(), log: silent })
    expect(await texts.scriptOf('en')).toBeUndefined()
    expect(await texts.say('en', 'Save')).toBe('Save')
  })

  it('are corrected by a file of the installation, under a new address, without a restart', async () => {
    const correctionsDir = await temporaryFolder()
    const texts = createInterfaceTexts({ correctionsDir, log: silent })
    const shipped = await texts.scriptOf('fa')
    await writeFile(join(correctionsDir, 'fa.json'), JSON.stringify({ Save: 'نگه دار' }))
    const corrected = await texts.scriptOf('fa')
    expect(corrected?.path).toMatch(/^texts\/fa-[\w-]{12}\.js$/)
    expect(corrected?.path).not.toBe(shipped?.path)
    expect(corrected?.plain.toString()).toContain('"Save":"نگه دار"')
    expect(await texts.say('fa', 'Save')).toBe('نگه دار')
  })

  it('leave out corrections that cannot stand for the English text, and name them in the log', async () => {
    const correctionsDir = await temporaryFolder()
    const warn = vi.fn()
    const texts = createInterfaceTexts({ correctionsDir, log: { warn } })
    const corrections = { 'Page {number}': 'صفحه', 'No such text': 'x', Cancel: 'بس کن' }
    await writeFile(join(correctionsDir, 'fa.json'), JSON.stringify(corrections))
    expect(await texts.say('fa', 'Cancel')).toBe('بس کن')
    const named = warn.mock.calls.map((call) => call[0] as unknown)
    expect(named).toEqual([
      expect.objectContaining({ text: 'Page {number}', problem: 'missing: number' }),
      expect.objectContaining({ text: 'No such text', problem: 'no text of the interface has these English words' }),
    ])
  })

  it('stay as shipped where the file of corrections is no JSON', async () => {
    const correctionsDir = await temporaryFolder()
    const warn = vi.fn()
    const texts = createInterfaceTexts({ correctionsDir, log: { warn } })
    const shipped = (await texts.scriptOf('ar'))?.path
    await writeFile(join(correctionsDir, 'ar.json'), '{"Save": ')
    expect((await texts.scriptOf('ar'))?.path).toBe(shipped)
    expect(warn).toHaveBeenCalledOnce()
  })
})

describe('a translated text', () => {
  it.each([
    ['{count, plural, one {# line} other {# lines}} of {name}', '{name}: {count, plural, other {# سطر}}', undefined],
    ['Read the <a>documentation of <b>{name}</b></a>.', '<a><b>{name}</b></a>', undefined],
    ['{count, plural, one {# line of {name}} other {# lines}}', '{count, plural, other {# سطر}}', 'missing: name'],
    ['Read the <a>documentation</a>.', 'مستندات', 'missing: a'],
    ['Page {number}', 'صفحه {number} از {total}', 'unknown: total'],
  ])('of %j as %j has the problem %j', (english, text, problem) => {
    expect(findProblem(english, text)).toBe(problem)
  })

  it('is malformed where a brace is left open', () => {
    expect(findProblem('Page {number}', 'صفحه {number')).toMatch(/./)
  })
})
