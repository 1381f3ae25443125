import { expect, it } from 'vitest'
import { readCsvFile } from './read-csv-file.ts'

const read = (...bytes: number[]) => readCsvFile(new Blob([new Uint8Array(bytes)]))

it('UTF-8 is read with and without a byte order mark', async () => {
  expect(await read(0xc3, 0xa9)).toBe('é')
  expect(await read(0xef, 0xbb, 0xbf, 0xc3, 0xa9)).toBe('é')
})

it('what is no UTF-8 is read as windows-1252', async () => {
  expect(await read(0x52, 0xe9, 0x6e, 0xe9, 0x92)).toBe('Réné’')
})

it('UTF-16 is read by its byte order mark', async () => {
  expect(await read(0xff, 0xfe, 0xe9, 0x00)).toBe('é')
  expect(await read(0xfe, 0xff, 0x00, 0xe9)).toBe('é')
})

it.each([
  [new Blob([' \r\n']), 'The file is empty'],
  [new Blob(['a\0b']), 'This is no text. Please save the list as CSV first.'],
  [new Blob(['a'.repeat(1_000_001)]), 'The file must be at most 1 MB'],
])('a file that cannot be a list is refused in words', async (file, sentence) => {
  await expect(readCsvFile(file)).rejects.toThrow(sentence)
})
