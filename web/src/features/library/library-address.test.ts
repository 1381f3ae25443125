import { expect, it } from 'vitest'
import { defaultOrder, isUnfiltered, noFilter, readView, writeView } from './library-address.ts'

it('a view is read from its address as it was written', () => {
  const view = {
    filter: {
      ...noFilter,
      search: 'پل road',
      states: ['failed' as const, 'new' as const],
      tags: ['border', 'ننګرهار'],
      from: '2026-11-01T00:00:00.000Z',
      min_duration: 60,
    },
    order: { sort: 'hits' as const, order: 'asc' as const },
    row: 240,
  }
  const address = writeView(view).toString()
  expect(readView(new URLSearchParams(address))).toEqual(view)
})

it('the whole library has an address without parameters', () => {
  expect(writeView({ filter: noFilter, order: defaultOrder, row: 0 }).toString()).toBe('')
  expect(readView(new URLSearchParams())).toEqual({ filter: noFilter, order: defaultOrder, row: 0 })
})

it('what an address names wrongly is left out, the rest applies', () => {
  const { filter, order, row } = readView(new URLSearchParams('states=lost&languages=ps&sort=weight&row=-4'))
  expect(filter).toEqual({ ...noFilter, languages: ['ps'] })
  expect(order).toEqual(defaultOrder)
  expect(row).toBe(0)
})

it('order and position are no filter', () => {
  const { filter } = readView(new URLSearchParams('sort=name&order=asc&row=9'))
  expect(isUnfiltered(filter)).toBe(true)
  expect(isUnfiltered({ ...noFilter, max_duration: 60 })).toBe(false)
})
