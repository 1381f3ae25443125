import { describe, expect, it } from 'vitest'
import { noFilter } from './library-address.ts'
import {
  countSelected,
  describeSelection,
  everythingSelected,
  isSelected,
  nothingSelected,
  toggleSelected,
  toLibrarySelection,
  withSelected,
} from './selection.ts'

describe('a selection', () => {
  it('of single recordings is named by their ids', () => {
    const selection = toggleSelected(withSelected(nothingSelected, ['a', 'b'], true), 'a')
    expect([isSelected(selection, 'a'), isSelected(selection, 'b')]).toEqual([false, true])
    expect(countSelected(selection, 312)).toBe(1)
    expect(toLibrarySelection(selection, noFilter)).toEqual({ ids: ['b'] })
  })

  it('of all that a filter shows is named by the filter and what was left out', () => {
    const selection = toggleSelected(everythingSelected, 'a')
    expect([isSelected(selection, 'a'), isSelected(selection, 'b')]).toEqual([false, true])
    expect(countSelected(selection, 312)).toBe(311)
    expect(toLibrarySelection(selection, noFilter)).toEqual({ filter: noFilter, except: ['a'] })
    expect(withSelected(selection, ['a'], true)).toEqual(everythingSelected)
  })

  it.each([
    [withSelected(nothingSelected, ['a'], true), 312, '1 recording selected'],
    [withSelected(nothingSelected, ['a', 'b'], true), 312, '2 recordings selected'],
    [everythingSelected, 10_000, 'All 10,000 recordings selected'],
    [toggleSelected(everythingSelected, 'a'), 312, '311 recordings selected'],
  ])('says how much it is', (selection, total, text) => {
    expect(describeSelection(selection, total)).toBe(text)
  })
})
