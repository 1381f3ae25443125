import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Email, Id, Moment, PageInfo, Paging, requiredId } from './scalars.ts'
import { complaints, id, textOf } from './testing/inputs.ts'

describe('an id', () => {
  test.each([id.slice(1), `${id}0`, id.toUpperCase(), 'g'.repeat(24), ''])('is not %j', (text) => {
    expect(complaints(Id, text)).toEqual(['Not a valid id'])
  })

  test('may be asked for in its own words', () => {
    expect(complaints(requiredId('Please choose one'), undefined)).toEqual(['Please choose one'])
    expect(complaints(z.object({ file_id: Id }), {})).toEqual(['File Id is required'])
    expect(Id.parse(id)).toBe(id)
  })
})

describe('an address', () => {
  test('is compared without blanks around it and in small letters', () => {
    expect(Email.parse(' Nadia@Example.ORG ')).toBe('nadia@example.org')
  })

  test.each([
    [' ', ['Email is required']],
    [`${textOf(242)}@example.org`, []],
    [`${textOf(243)}@example.org`, ['Email must be at most 254 characters']],
    ['nadia', ['Please enter a valid email address']],
    ['nadia@example', ['Please enter a valid email address']],
    ['na dia@example.org', ['Please enter a valid email address']],
    ['nadia@@example.org', ['Please enter a valid email address']],
    ['nadia@example.org.', ['Please enter a valid email address']],
  ])('%#', (text, sentences) => {
    expect(complaints(Email, text)).toEqual(sentences)
  })
})

test.each([
  ['2026-01-02T03:04:05Z', true],
  ['2026-01-02T03:04:05.678Z', true],
  ['2026-01-02T03:04:05+02:00', false],
  ['2026-01-02', false],
])('a moment is in UTC: %s', (text, isMoment) => {
  expect(Moment.safeParse(text).success).toBe(isMoment)
})

describe('a page', () => {
  const Page = z.object(Paging)

  test('is the first, of ten rows', () => {
    expect(Page.parse({})).toEqual({ page: 1, per_page: 10 })
    expect(Page.parse({ page: '1000000', per_page: '100' })).toEqual({ page: 1_000_000, per_page: 100 })
    expect(Page.parse({ page: '1', per_page: '1' })).toEqual({ page: 1, per_page: 1 })
  })

  test.each([
    [{ page: '0' }, 'Page is too small'],
    [{ page: '1000001' }, 'Page is too large'],
    [{ page: '1.5' }, 'Page is not valid'],
    [{ per_page: '0' }, 'Per page is too small'],
    [{ per_page: '101' }, 'Per page is too large'],
  ])('is not %o', (choice, sentence) => {
    expect(complaints(Page, choice)).toEqual([sentence])
  })

  test('of an empty list is the first of none', () => {
    const info = { total: 0, page: 1, per_page: 10, pages: 0 }
    expect(z.object(PageInfo).parse(info)).toEqual(info)
  })
})
