import { expect, test } from 'vitest'
import { westernDigits } from './western-digits.ts'

test('Persian and Arabic-Indic digits become western ones, all else stays', () => {
  expect(westernDigits('۰۱۲۳۴۵۶۷۸۹ ٠١٢٣٤٥٦٧٨٩ 42 آب')).toBe('0123456789 0123456789 42 آب')
})
