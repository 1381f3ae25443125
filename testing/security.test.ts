import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

interface Requirement {
  id: string
  level: string
  state: string
  how: string
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

const requirements = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line): Requirement => {
    const [id = '', level = '', , state = '', how = ''] = cellsOf(line)
    return { id, level, state, how }
  })

/** Levels of the level 1 and 2 requirements of OWASP ASVS 5.0.0, by section. */
const levels: Record<string, string> = {
  '2.1': '122',
  '2.2': '112',
  '2.3': '1222',
  '2.4': '2',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '1122',
  '6.4': '1122',
  '6.5': '22222',
  '6.6': '222',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '22',
  '7.6': '22',
  '8.1': '12',
  '8.2': '112',
  '8.3': '1',
  '8.4': '2',
  '11.1': '22',
  '11.2': '222',
  '11.3': '112',
  '11.4': '1222',
  '11.5': '2',
  '11.6': '2',
  '12.1': '122',
  '12.2': '11',
  '12.3': '2222',
  '13.1': '2',
  '13.2': '22222',
  '13.3': '22',
  '13.4': '12222',
  '14.1': '22',
  '14.2': '1222',
  '14.3': '122',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '222',
}

describe('docs/security.md', () => {
  test('has each requirement of levels 1 and 2 once, with its level', () => {
    const expected = Object.entries(levels).flatMap(([section, digits]) =>
      [...digits].map((level, at) => `${section}.${at + 1} ${level}`),
    )
    expect(requirements.map(({ id, level }) => `${id} ${level}`)).toEqual(expected)
  })

  test('states for each requirement whether it is met, by a test or a section, or why not', () => {
    const unproven = requirements.filter(({ state, how }) => {
      if (state === 'met') return !/`[\w./-]+\.(?:test|coverage)\.tsx?`|\]\([#\w]/.test(how)
      return !['not applicable', 'departed'].includes(state) || how.length < 10
    })
    expect(unproven).toEqual([])
  })

  test('names tests that exist', () => {
    const named = [...page.matchAll(/`([\w./-]+\.(?:test|coverage)\.tsx?)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(100)
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('links to sections and pages that exist', () => {
    const headings = new Set(
      [...page.matchAll(/^#+ (.*)$/gm)].map(
        ([, text = '']) =>
          `#${text
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-')}`,
      ),
    )
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
    const broken = links.filter((target) =>
      target.startsWith('#') ? !headings.has(target) : !existsSync(join(root, 'docs', target.replace(/#.*/, ''))),
    )
    expect(broken).toEqual([])
  })

  test('has a test for each finding of both attacks', () => {
    const attacks = page
      .slice(page.indexOf('## Attacks and their tests'))
      .split('\n')
      .filter((line) => /^\| \d+ /.test(line))
    const numbersOf = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
    expect(attacks.map((line) => Number(cellsOf(line)[0]))).toEqual([...numbersOf(23), ...numbersOf(9)])
    expect(attacks.filter((line) => !/`[\w./-]+\.test\.tsx?`/.test(line))).toEqual([])
  })
})

describe('the source', () => {
  const files = globSync('{server,engine,scripts,web/src}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
    (path) => !/\.(test|coverage)\.tsx?$|^scripts\/bench\//.test(path),
  )
  // Only SHA-1 hashes are published for Whisper's files, and dpkg checks its files with MD5 hashes: these detect damage and do not decide
  // about access.
  const givenHashes = ['engine/models/content-hash.ts', 'scripts/release/debian/describe-tree.ts']
  /** They report when a certificate expires, even an untrusted one; they send no credentials and trust nothing in the response. */
  const reportCertificates = ['scripts/doctor/probe-address.ts', 'server/features/system/state/certificate.ts']
  test.each([
    ['never disables certificate validation', /rejectUnauthorized|NODE_TLS_REJECT|tlsAllowInvalid|tlsInsecure/],
    ['hashes with SHA-2 only', /create(?:Hash|Hmac)\(['"](?!sha(?:256|384|512)['"])/],
    ['encrypts with AES-GCM only', /create(?:Cipher|Decipher)iv\(['"](?!aes-256-gcm['"])/],
  ])('%s', (name, pattern) => {
    expect(files.length).toBeGreaterThan(300)
    const offending = files.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')))
    const allowed = [
      ...(name.startsWith('hashes') ? givenHashes : []),
      ...(name.startsWith('never disables certificate') ? reportCertificates : []),
    ]
    expect(offending.filter((path) => !allowed.includes(path))).toEqual([])
  })
})
