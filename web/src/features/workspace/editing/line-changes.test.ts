import { describe, expect, it } from 'vitest'
import type { LineChange } from '#contract/line-edits.ts'
import { isSameState, mergeChanges, rebase, stateAt } from './line-changes.ts'

const to = (from: number[], ...texts: string[]): LineChange => ({
  from,
  lines: texts.map((text, index) => ({ start: (from[0] ?? 0) + index / 10, end: (from[0] ?? 0) + 1, text })),
})
const original = (...from: number[]): LineChange => ({ from, lines: null })

describe('changes on top of others', () => {
  it('replace those of the same lines and leave the others', () => {
    expect(mergeChanges([to([0], 'a'), to([1], 'b')], [to([1], 'c')])).toEqual([to([0], 'a'), to([1], 'c')])
  })

  it('return what they do not cover of joined lines to the engine', () => {
    expect(mergeChanges([to([1, 2], 'b and c')], [to([1], 'x')])).toEqual([original(2), to([1], 'x')])
  })
})

describe('the state of lines', () => {
  it('takes in what was joined with them, and names unchanged lines one by one', () => {
    const changes = [to([2, 3], 'joined'), original(5)]
    expect(stateAt(changes, [3, 1])).toEqual([original(1), to([2, 3], 'joined')])
    expect(stateAt(changes, [5])).toEqual([original(5)])
  })

  it('is equal by texts, times and speakers alone', () => {
    const stored = [{ ...to([1], 'a'), revision: 4 }]
    expect(isSameState(stored, [to([1], 'a')])).toBe(true)
    expect(isSameState(stored, [to([1], 'b')])).toBe(false)
  })
})

describe('unsent changes after somebody else changed lines', () => {
  it('are kept where those were other lines', () => {
    expect(rebase([to([1], 'mine')], [], [to([4], 'theirs')])).toEqual({ kept: [to([1], 'mine')], conflicts: [] })
  })

  it('are in conflict where those were the same lines', () => {
    const { kept, conflicts } = rebase([to([1], 'mine'), to([2], 'too')], [to([1], 'old')], [to([1], 'theirs')])
    expect(kept).toEqual([to([2], 'too')])
    expect(conflicts).toEqual([{ mine: [to([1], 'mine')], theirs: [to([1], 'theirs')] }])
  })

  it('are in conflict with a join of one of their lines, and both sides cover the same lines', () => {
    const { kept, conflicts } = rebase([to([1], 'mine')], [], [to([1, 2], 'joined')])
    expect(kept).toEqual([])
    expect(conflicts).toEqual([{ mine: [to([1], 'mine'), original(2)], theirs: [to([1, 2], 'joined')] }])
  })

  it('are in conflict once where two of them were joined elsewhere', () => {
    const { conflicts } = rebase([to([1], 'x'), to([2], 'y')], [], [to([1, 2], 'joined')])
    expect(conflicts).toEqual([{ mine: [to([1], 'x'), to([2], 'y')], theirs: [to([1, 2], 'joined')] }])
  })

  it('are dropped where the others made the same of the lines', () => {
    expect(rebase([to([1], 'same')], [], [to([1], 'same')])).toEqual({ kept: [], conflicts: [] })
  })

  it('are in conflict with a return to the engine', () => {
    const { conflicts } = rebase([to([1], 'mine')], [to([1], 'old')], [original(1)])
    expect(conflicts).toEqual([{ mine: [to([1], 'mine')], theirs: [original(1)] }])
  })
})
