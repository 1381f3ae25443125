import { stripTypeScriptTypes } from 'node:module'
import { runInThisContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { findMutationPoints } from './mutation-points.ts'
import { addSwitches, switchName } from './switches.ts'

interface Switched {
  count: number
  /** Returns the value of the last expression of the source while a change is on. */
  evaluate: (id?: number) => unknown
  /** The bodies that the last evaluation reached, by their first change. */
  seen: Set<number>
}

function addAllSwitches(source: string): Switched {
  const points = findMutationPoints('file.ts', source).map((point, id) => ({ ...point, id }))
  const script = `{ ${stripTypeScriptTypes(addSwitches(source, points))} }`
  const seen = new Set<number>()
  return {
    count: points.length,
    seen,
    evaluate(active) {
      seen.clear()
      const isOn = (id: number) => {
        seen.add(id)
        return id === active
      }
      Object.defineProperty(globalThis, switchName, { configurable: true, value: { isOn } })
      return runInThisContext(script) as unknown
    },
  }
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, switchName)
})

it('does what the source does while no change is on', () => {
  const { evaluate } = addAllSwitches('function f(a: number) { return a + 1 }; const g = (a: number) => f(a) * 2; g(3)')
  expect(evaluate()).toBe(8)
})

it('makes one change at a time', () => {
  const source = 'function f(a: number) { return a + 1 }; const g = (a: number) => f(a) * 2; g(3)'
  const { count, evaluate } = addAllSwitches(source)
  const results = Array.from({ length: count }, (_, id) => evaluate(id))
  expect(new Set(results)).toEqual(new Set([Number.NaN, 4, 2, undefined]))
})

it('keeps a change of an inner function apart from one of the function around it', () => {
  const source = 'const f = (a: number[]) => a.map((b) => b + 1); f([1, 2]).join()'
  const points = findMutationPoints('file.ts', source)
  const plus = points.findIndex(({ before }) => before === 'b + 1')
  const { evaluate } = addAllSwitches(source)
  expect(evaluate()).toBe('2,3')
  expect(evaluate(plus)).toBe('0,1')
})

it('keeps an object as the body of an arrow, and a body that has nothing to return', () => {
  expect(addAllSwitches('const f = () => ({ a: 1 + 1 }); f().a').evaluate()).toBe(2)
  expect(addAllSwitches('let a = 0; const f = () => { a += 2 }; f(); a').evaluate()).toBe(2)
})

it('tells which changes have been come past', () => {
  const { evaluate, seen } = addAllSwitches('const f = () => { return 1 + 1 }; const g = () => { return 2 + 2 }; f()')
  evaluate()
  expect(seen.size).toBe(2)
})

it('leaves alone what runs when the module is loaded', () => {
  const source = 'const a = 1 + 2'
  const points = findMutationPoints('file.ts', source).map((point, id) => ({ ...point, id }))
  expect(addSwitches(source, points)).toBe(source)
})
