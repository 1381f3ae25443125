import { describe, expect, test } from 'vitest'
import { findSpecificationProblems, listTestNames } from './specification.ts'

const path = 'web/src/app/a.test.tsx'
const source = `
import { expect, it, test } from 'vitest'
// it('is only mentioned', () => {})
const text = "it('is only text', () => {})"
it('greets', () => expect(<p>don't</p>).toBeTruthy())
it("knows Nadia's name", () => {})
test.skipIf(!process.env.X)('runs somewhere', () => {})
it.each([['a)', "it('b'"]])('calls %s %s', () => {})
it.each(rows as const)('escapes \\'quotes\\' and a | bar', () => {})
test.each\`a | b\`('reads a table', () => {})
test(\`counts \${rounds} rounds\`, () => {})
describe('a group', () => test('within a group', () => expect(/['"\`]/.test(text)).toBe(true)))
regex.test('no test at all')
`
const files: Record<string, string> = { [path]: source }

function problemsOf(...rows: string[]): string[] {
  const table = ['# Title', '', '| No. | Statement | Tested by |', '| --- | --- | --- |', ...rows, '', 'Text.']
  return findSpecificationProblems({ text: table.join('\n'), readFile: (name) => files[name] })
}

const rowOf = (id: string, name: string) => `| ${id} | Something holds. | \`${path}\` › \`${name}\` |`

describe('the list of the specification', () => {
  test('passes where each row names a test or a reason', () => {
    expect(
      problemsOf(
        rowOf('A1', 'greets'),
        `| A2 | Both. | \`${path}\` › \`calls %s %s\`<br>\`${path}\` › \`within a group\` |`,
        '| A4 | Something else. | Not tested: it is a colour. |',
        rowOf('A4a', 'runs somewhere'),
        rowOf('A10', 'reads a table'),
        rowOf('W1', "escapes 'quotes' and a \\| bar"),
        rowOf('W2', 'counts ${rounds} rounds'),
      ),
    ).toEqual([])
  })

  test.each([
    ['a test that was renamed', rowOf('A1', 'greet'), 'names the test "greet", which web/src/app/a.test.tsx does not'],
    ['a test in a comment', rowOf('A1', 'is only mentioned'), 'names the test "is only mentioned"'],
    ['a test in a text', rowOf('A1', 'is only text'), 'names the test "is only text"'],
    ['the name of a group', rowOf('A1', 'a group'), 'names the test "a group"'],
    ['a method called test', rowOf('A1', 'no test at all'), 'names the test "no test at all"'],
    ['a file that is gone', '| A1 | A. | `web/b.test.ts` › `greets` |', 'names web/b.test.ts, which is missing'],
    ['no test and no reason', '| A1 | A. | |', 'A1, names neither a test nor why there is none'],
    ['a file without a test', `| A1 | A. | \`${path}\` |`, 'A1, names neither a test nor why there is none'],
    ['no reason', '| A1 | A. | Not tested: |', 'A1, does not say why it is not tested'],
    ['no number', '| | A. | Not tested: a colour. |', 'this is no row of three cells: | | A.'],
    ['no statement', '| A1 | | Not tested: a colour. |', 'this is no row of three cells: | A1 |'],
    ['a cell too many', '| A1 | A. | Not tested: a colour. | more |', 'this is no row of three cells: | A1'],
  ])('fails on %s', (_, row, problem) => {
    expect(problemsOf(row)).toEqual([expect.stringContaining(problem)])
  })

  test('fails on numbers that are doubled or out of order', () => {
    const rows = ['A1', 'A3', 'A2', 'W1', 'A3', 'A11', 'A9b'].map((id) => rowOf(id, 'greets'))
    expect(problemsOf(...rows)).toEqual([
      'docs/specification.md has A2 after A3',
      'docs/specification.md has A3 twice',
      'docs/specification.md has A9b after A11',
    ])
  })

  test('fails without rows', () => {
    expect(problemsOf()).toEqual(['docs/specification.md has no rows'])
  })
})

test('names of tests are read as the source has them', () => {
  expect([...listTestNames(path, source)].toSorted()).toEqual(
    [
      'greets',
      "knows Nadia's name",
      'runs somewhere',
      'calls %s %s',
      "escapes 'quotes' and a | bar",
      'reads a table',
      'counts ${rounds} rounds',
      'within a group',
    ].toSorted(),
  )
})
