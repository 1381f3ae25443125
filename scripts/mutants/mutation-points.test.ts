import { expect, it } from 'vitest'
import { findMutationPoints, mutate } from './mutation-points.ts'

/** Returns one changed source for each possible change. */
function mutantsOf(source: string, path = 'file.ts'): string[] {
  return findMutationPoints(path, source).map((point) => mutate(source, point))
}

it.each([
  ['a + b', ['a - b']],
  ['a * b', ['a / b']],
  ['a < b', ['a <= b', 'a >= b']],
  ['a === b', ['a !== b']],
  ['a && b', ['(a) || (b)']],
  ['a ?? b', ['(a) && (b)']],
  ['!a', ['a']],
  ['-a', ['+a']],
  ['a++', ['a--']],
  ['a += b', ['a -= b']],
  ['f(true)', ['f(false)']],
  ["f('text')", ["f('')"]],
  ["'text' + a", ["'' + a"]],
  ["f('')", ["f('mutant')"]],
  ['f(`a ${b}`)', ['f(``)']],
  ['f([a, b])', ['f([])']],
  ['f({ a })', ['f({})']],
  ['a?.b', ['a.b']],
  ['a?.[b]', ['a[b]']],
  ['a?.(b)', ['a(b)']],
  ['a.filter(b)', ['a']],
  ['a.every(b)', ['a.some(b)']],
  ['a.trim()', ['a']],
])('changes %s', (source, mutants) => {
  expect(mutantsOf(source)).toEqual(mutants)
})

it('negates a condition, and decides it either way', () => {
  expect(mutantsOf('if (a) f()')).toEqual(['if (!(a)) f()', 'if (true) f()', 'if (false) f()'])
  expect(mutantsOf('a === b ? c : d')).toEqual(['true ? c : d', 'false ? c : d', 'a !== b ? c : d'])
})

it('never makes a loop endless that ends', () => {
  expect(mutantsOf('while (a) f()')).toEqual(['while (false) f()'])
})

it('empties the body of a function, and takes the value from what returns one', () => {
  expect(mutantsOf('function f() { g(); return a }')).toEqual([
    'function f() {}',
    'function f() { g(); return undefined }',
  ])
  expect(mutantsOf('const f = () => a')).toEqual(['const f = () => undefined'])
})

it.each([
  ["import a from 'a'\nimport('b')"],
  ["type A = 'a' | true\nlet a: { b: 'c' }"],
  ["f(a as 'b')"],
  ["const { 'a-b': c } = d"],
  ["'use strict'"],
  ["console.log('text', a + b)"],
  ["log.warn({ a: 1 }, 'text')"],
  ["throw new AppError(code, 'Recording not found')"],
])('leaves alone what is no value, or only text for developers: %s', (source) => {
  expect(mutantsOf(source)).toEqual([])
})

it('leaves alone how an element looks, and changes when it is shown', () => {
  const source = `const a = b && <p className={c ? 'd' : 'e'} size={1 + 2} title="f">{g ? h : i}</p>`
  const lines = findMutationPoints('file.tsx', source).map(({ before }) => before)
  expect(lines.filter((line) => line.startsWith('c ?') || line.startsWith('1 +'))).toEqual([])
  expect(lines).toContain('g ? h : i')
})

it('names the line, and what the change stands in', () => {
  const [point] = findMutationPoints('file.ts', 'const a = 1\nconst b = a - 2')
  expect(point).toMatchObject({ line: 2, before: 'a - 2', after: 'a + 2' })
})

it('tells the body that has to run first: none for what runs when the module is loaded', () => {
  const source = 'const a = 1 + 2\nfunction f(b = 3 + 4) { return 5 + 6 }'
  const points = findMutationPoints('file.ts', source).filter(({ after }) => after.includes(' - '))
  expect(points.map(({ body }) => body && source.slice(body.start, body.end))).toEqual([
    undefined,
    undefined,
    '{ return 5 + 6 }',
  ])
})
