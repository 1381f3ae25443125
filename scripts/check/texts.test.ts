import { describe, expect, it } from 'vitest'
import { collectTexts, findCatalogProblems } from './texts.ts'

const inWeb = (text: string, path = 'web/src/features/case-list.tsx') => collectTexts([{ path, text }])

describe('texts of the interface', () => {
  it('are collected from t and rich, and from sentences of the server', () => {
    const { texts, problems } = collectTexts([
      { path: 'web/src/a.tsx', text: "const a = <p title={t('Cases')}>{rich(`See <a>{name}</a>.`, {})}</p>" },
      {
        path: 'server/b.ts',
        text: "throw new AppError('conflict', `${name} is in use.`, { help: isOld ? 'Wait.' : 'Ask.' })",
      },
      { path: 'server/c.ts', text: 'throw new FolderProblem(`${name} is no folder.`)' },
    ])
    expect([...texts]).toEqual(['Cases', 'See <a>{name}</a>.', '{1} is in use.', 'Wait.', 'Ask.', '{1} is no folder.'])
    expect(problems).toEqual([])
  })

  it('are collected from what the checks of the doctor find, however the command line is called', () => {
    const { texts } = collectTexts([
      {
        path: 'scripts/doctor/checks/disk.ts',
        text: `const findings = { 'disk.full': { title: 'The disk is full', why: 'Uploads fail.', remedy: 'Free room, then npm run awaz -- doctor.' } }
          const states = { old: { what: (host: string) => \`\${host} is old.\` } }
          const found = [finding('disk.full', \`\${folder} has \${size} free.\`), finding('disk.full', \`\${folder}: \${size}.\`)]`,
      },
    ])
    expect([...texts]).toEqual([
      'The disk is full',
      'Uploads fail.',
      'Free room, then {1} doctor.',
      '{1} is old.',
      '{1} has {2} free.',
    ])
  })

  it.each([
    ['between tags', 'const a = <p>No cases yet</p>', 'No cases yet'],
    ['in an attribute that is shown', 'const a = <Button aria-label="Remove">×</Button>', 'Remove'],
  ])('are missed %s', (_, text, shown) => {
    expect(inWeb(text).problems).toEqual([
      `web/src/features/case-list.tsx:1 shows “${shown}” in English only: use t() or rich()`,
    ])
  })

  it.each([
    ['code', 'const a = <p><Code>npm start</Code></p>'],
    ['the product', 'const a = <span>Awaz</span>'],
    ['a setting', 'const a = <span>RETENTION_DAYS</span>'],
    ['an attribute that nobody sees', 'const a = <p className="Wide note" />'],
  ])('leave %s as it is', (_, text) => {
    expect(inWeb(text).problems).toEqual([])
  })

  it('must be one literal, and well formed', () => {
    expect(inWeb('const a = t(`Case ${name}`)').problems).toHaveLength(1)
    expect(inWeb("const a = t('Case ' + name)").problems).toHaveLength(1)
    expect(inWeb("const a = t('Case {name')").problems[0]).toContain('malformed')
  })
})

it('a language lacks no text, has none too many, and keeps the values', () => {
  const texts = new Set(['Cases', 'Page {number}', 'Notes'])
  const catalog = { Cases: 'پرونده‌ها', 'Page {number}': 'صفحه', Tags: 'برچسب‌ها' }
  expect(findCatalogProblems('fa', catalog, texts)).toEqual([
    'fa: lacks "Notes"',
    'fa: has "Tags", which no screen shows',
    'fa: "Page {number}": missing: number',
  ])
})
