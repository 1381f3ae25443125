import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test('quotes commas, quotes and line breaks', () => {
  expect(csvRow(['a', 'b,c', 'say "hi"', 'two\nlines'])).toBe('a,"b,c","say ""hi""","two\nlines"\r\n')
})

test('keeps a spreadsheet from running a cell as a formula', () => {
  expect(csvRow(['=1+1', '@SUM(A1)', '-3', '+4'])).toBe("'=1+1,'@SUM(A1),'-3,'+4\r\n")
  expect(csvRow(['＝1+1', '＠SUM(A1)', '－3', '＋4'])).toBe("'＝1+1,'＠SUM(A1),'－3,'＋4\r\n")
})
