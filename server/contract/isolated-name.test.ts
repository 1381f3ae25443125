import { expect, test } from 'vitest'
import {
  isolateName,
  isolatesToHtml,
  isolatesToMarks,
  nameDirection,
  splitName,
  withoutIsolates,
} from './isolated-name.ts'

test.each<[string, string[]]>([
  ['1168_پشاور_2026-10-01.mp3', ['1168_', 'پشاور', '_2026-10-01.mp3']],
  ['پشاور_1168.wav', ['', 'پشاور', '_1168.wav']],
  ['1168_احمد شاه-قندهار_(2).mp3', ['1168_', 'احمد شاه-قندهار', '_(2).mp3']],
  ['احمد شاه (Kandahar).mp3', ['', 'احمد شاه', ' (Kandahar).mp3']],
  ['۱۱۶۸_پشاور_۲۰۲۶-۱۰-۰۱.mp3', ['۱۱۶۸_', 'پشاور', '_۲۰۲۶-۱۰-۰۱.mp3']],
  ['١١٦٨_بيشاور.mp3', ['', '١١٦٨', '_', 'بيشاور', '.mp3']],
  ['مَرْحَبًا_1.3gp', ['', 'مَرْحَبًا', '_1.3gp']],
])('the parts of the file name %s that run right to left stand at the odd places', (name, parts) => {
  expect(splitName(name)).toEqual(parts)
})

test.each<[string, string[]]>([
  ['احمد شاه (Kandahar)', ['احمد شاه (Kandahar)']],
  ['پشاور 2026-10-01', ['پشاور ', '2026-10-01']],
  ['تماس +93 70 123 4567', ['تماس ', '+93 70 123 4567']],
  ['پشاور 12', ['پشاور 12']],
])('of the name %s, which runs as its first letter does, dates and numbers of several parts do', (name, parts) => {
  expect(splitName(name)).toEqual(parts)
})

test.each(['1168_Peshawar_2026-10-01.mp3', 'Call of 12:30', 'Ωμέγα_7.wav', ''])('%j is whole', (name) => {
  expect(splitName(name)).toEqual([name])
  expect(isolateName(name)).toBe(name)
})

test('in plain text a name and its parts are isolated by characters that no reader sees', () => {
  expect(isolateName('1168_پشاور_2026-10-01.mp3')).toBe('\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069')
  expect(isolateName('احمد شاه (Kandahar)')).toBe('\u2068احمد شاه (Kandahar)\u2069')
})

test('controls of direction in a name do not reach beyond it', () => {
  expect(isolateName('\u2067پشاور_7\u202E.wav')).toBe(isolateName('پشاور_7.wav'))
  expect(isolateName('call\u202Egpj.wav')).toBe('callgpj.wav')
})

test.each([
  ['1168_پشاور_2026-10-01.mp3', 'ltr'],
  ['پشاور_7', 'ltr'],
  ['احمد شاه (Kandahar)', 'rtl'],
  ['2026-10-01 پشاور', 'rtl'],
  ['Ahmad شاه', 'ltr'],
  ['', 'ltr'],
])('%j runs %s', (name, direction) => {
  expect(nameDirection(name)).toBe(direction)
})

test('isolates become elements in HTML, marks in formats that have none, and nothing in what is compared', () => {
  const name = isolateName('7_پشاور.mp3')
  expect(isolatesToHtml(name)).toBe('<bdi>7_<bdi>پشاور</bdi>.mp3</bdi>')
  expect(isolatesToMarks(name)).toBe('\u200E7_\u200Eپشاور\u200E.mp3\u200E')
  expect(withoutIsolates(name)).toBe('7_پشاور.mp3')
})
