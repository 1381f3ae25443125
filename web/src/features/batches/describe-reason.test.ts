import { afterEach, expect, it, vi } from 'vitest'
import { describeReason } from './describe-reason.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('is in the language of the reader, the languages in it too', () => {
  expect(describeReason('It is in English already')).toBe('It is in English already')
  const pattern = JSON.stringify(['It is in ', ['1'], ' already'])
  vi.stubGlobal('awazTexts', { language: 'fa', texts: { [pattern]: ['پیش‌تر به ', ['1'], ' است'] } })
  expect(describeReason('It is in English already')).toBe('پیش‌تر به انگلیسی است')
  expect(describeReason('It is in Klingon already')).toBe('پیش‌تر به \u2066Klingon\u2069 است')
})
