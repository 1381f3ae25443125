import { expect, test } from 'vitest'
import { contentDisposition } from './content-disposition.ts'

test('names a download after the recording, in any script', () => {
  expect(contentDisposition('ښه غږ.mp3', 'srt')).toBe(
    `attachment; filename="__ __.srt"; filename*=UTF-8''${encodeURIComponent('ښه غږ.srt')}`,
  )
})

test('says which part of the recording the file is of', () => {
  expect(contentDisposition('call.wav', 'mp3', '00.01.02-00.01.10')).toContain('filename="call 00.01.02-00.01.10.mp3"')
})

test('lets no name end the header or begin another parameter', () => {
  expect(contentDisposition('a"b\r\nX: (1)\'*.wav', 'txt')).toBe(
    `attachment; filename="a_b__X_ _1___.txt"; filename*=UTF-8''a%22b%0D%0AX%3A%20%281%29%27%2A.txt`,
  )
})
