import { expect, it } from 'vitest'
import { readSearchView, writeSearchView } from './search-address.ts'

const moment = '2026-11-02T00:00:00.000Z'

it.each([
  'q=money',
  'q=Kandahar&spelling=exact',
  'q=%22by+the+bridge%22+-car*&sort=best',
  `q=%D9%BE%D9%8A%D8%B3%D9%8A&speaker=Speaker+A&language=ps&category=threats&from=${encodeURIComponent(moment)}`,
])('reads and writes %s without loss', (address) => {
  expect(writeSearchView(readSearchView(new URLSearchParams(address))).toString()).toBe(address)
})

it('leaves out what is wrong, and keeps the rest', () => {
  const view = readSearchView(
    new URLSearchParams('q=money&sort=worst&spelling=all&language=PASHTO&category=none&from=today&to='),
  )
  expect(view).toEqual({ q: 'money', sort: 'newest', spelling: 'any', filter: {} })
})

it('an address without parameters searches for nothing', () => {
  expect(readSearchView(new URLSearchParams())).toEqual({ q: '', sort: 'newest', spelling: 'any', filter: {} })
})
