import { describe, expect, test } from 'vitest'
import { NewEmail, PersonName, Username } from './names.ts'
import { Email } from './scalars.ts'

const errorsOf = (schema: typeof Username | typeof PersonName | typeof NewEmail, text: string) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message) ?? []

const characters = 'Username may hold letters, digits, dots, hyphens and underscores'
const ends = 'Username must begin and end with a letter or digit and have single signs between them'
const oneScript = 'Username must be written in one script'

const invisible = [
  'ad\0min',
  'ad\u202Emin',
  'ad\u200Bmin',
  'ad\u200Cmin',
  'ad\u2060min',
  'admin\uFE0F',
  'ad\u034Fmin',
  'ad\u115Fmin',
  'ad\u3164min',
  'ad\u00ADmin',
  '\uE000admin',
  'ad\uD800min',
  'ad\u2028min',
  'ad\u061Cmin',
]

describe('a username', () => {
  test.each([
    'nadia',
    'n.ahmadzai',
    'Nadia_Khan-7',
    '7of9',
    'o2',
    'José',
    'Łukasz',
    'Ünlü',
    'زرغونه',
    'نادیه.احمدزی',
    'محمد_علی',
    'عائشہ',
    'أحمد۷',
    'ګلالۍ',
    'ټنګ-ټکور',
    'Надя',
    'Ελένη',
    '山田太郎',
    '김철수',
    'नादिया',
    'สมชาย',
    'תמר',
    'ნინო',
    'さくらサクラ桜',
  ])('may be %s', (name) => expect(errorsOf(Username, name)).toEqual([]))

  test.each([
    ...['.', '-', '_', '..', 'admin.', '.admin', '-admin', 'admin-', 'ad..min', 'ad._min', 'admin_'].map((name) => [
      name,
      ends,
    ]),
    ...['ad min', 'admin@home', 'ad/min', '../etc', '<b>', 'admin!', "o'brien"].map((name) => [name, characters]),
    ...invisible.map((name) => [name, characters]),
    ['аdmin', oneScript], // Cyrillic а
    ['αdmin', oneScript], // Greek alpha
    ['admіn', oneScript], // Cyrillic і
    ['nadia.علی', oneScript],
    ['user۱2', oneScript], // digits of two scripts
    ['', 'Username is required'],
    ['  ', 'Username is required'],
    ['a'.repeat(65), 'Username must be at most 64 characters'],
    [`a${'\u0301'.repeat(6)}`, characters],
  ])('is not %j', (name, error) => expect(errorsOf(Username, name)).toEqual([error]))

  test('is normalized to plain letters when wide or styled ones were typed', () => {
    expect(Username.parse('ａｄｍｉｎ')).toBe('admin')
    expect(Username.parse('𝐚𝐝𝐦𝐢𝐧')).toBe('admin')
    expect(Username.parse('ﻻ')).toBe('لا')
  })
})

describe("a person's name", () => {
  test.each([
    '',
    'Nadia',
    "O'Brien",
    'Jean-Luc',
    'van der Berg',
    'José María',
    'Dr. Zarghuna (Kabul)',
    'Nādia',

    'زرغونه',
    'نادیه احمدزی',
    'بی\u200Cبی',
    'امیر\u200Cحسین',
    'مُحَمَّد',
    'عبدالـله',
    'श्री\u200D',
    'क्\u200Dष',
    '山田 太郎',
    'Мария-Łucja',
  ])('may be %j', (name) => expect(errorsOf(PersonName, name)).toEqual([]))

  test.each([
    'Na\0dia',
    'Na\ndia',
    'Na\u0085dia',
    'Na\u202Edia',
    'Na\u2066dia',
    'Na\u200Edia',
    'Na\u200Bdia',
    '\u061CNadia',

    'Na\u200Cdia',
    'Na\u200Ddia',
    'نادیه \u200Cخان',
    'بی\u200C\u200Cبی',
    'Na\uFEFFdia',
    'Na\u2028dia',
    'Na\uD800dia',
    'Na\uE000',
    'Na\u3164',
    `N${'\u0301'.repeat(10)}`,
  ])('is not %j', (name) => {
    expect(errorsOf(PersonName, name)).toEqual(['Names may not hold control or invisible characters'])
  })
})

describe('the address of a new account', () => {
  test.each([
    'a@b.cd',
    'nadia.khan+news@mail.example.org',
    'x_y-z@sub-domain.example',
    'نادیه@مثال.افغانستان',
    'ü@bücher.example',
    'زرغونه۷@مثال.افغانستان',
    'علی@example.org',
    'صدیقی+خبر@مثال.پاکستان',
    'محمد.علي@example.org',
    'иван@пример.рф',
    'роса@пример.рф',
    'анна@example.org',
    'мама@example.org',
    'νίκη@παράδειγμα.ελ',
    '田中さくら@例え.jp',
    'ivan@пример.рф',
    'xn--e1afmkfd@example.org',
    'admin@awaz.local',
    '7@8.example',
    `${'a'.repeat(64)}@example.org`,
  ])('may be %s', (address) => expect(errorsOf(NewEmail, address)).toEqual([]))

  test.each([
    'someone',
    'a@b',
    'a@@b.cd',
    'a b@c.de',
    '.a@b.cd',
    'a.@b.cd',
    'a..b@c.de',
    'a@-b.cd',
    'a@b-.cd',
    'a@b..cd',
    'a@.cd',

    'a\0b@c.de',
    'a\u202Eb@c.de',
    'a\u200Bb@c.de',
    'a@c\u200B.de',
    'a\u200Cb@c.de',
    'a@b\u00AD.cd',
    'a@\uE000.cd',
    'a\uD800@b.cd',
    'a@b.cd\u2060',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(64)}.org`,
  ])('is not %j', (address) => {
    expect(errorsOf(NewEmail, address)).toEqual(['Please enter a valid email address'])
  })

  test.each([
    ['аdmin@example.org', 'a Cyrillic letter'],
    ['admin@exаmple.org', 'a Cyrillic letter in the domain'],
    ['admin@example.оrg', 'a Cyrillic letter at its end'],
    ['nаdiа@пример.рф', 'Cyrillic letters among Latin ones'],
    ['ivan.иванов@example.org', 'two names of two scripts'],
    ['nadia.نادیه@example.org', 'two names of two scripts'],
    ['ο.neill@example.org', 'a Greek letter'],
    ['nadia۷@example.org', 'a digit of another script'],
  ])('does not mix scripts: %s has %s', (address) => {
    expect(errorsOf(NewEmail, address)).toEqual(['Email must not mix letters of several scripts'])
  })

  test.each([
    ['роса@example.org', 'poca@example.org'],
    ['ѕсоре@example.org', 'scope@example.org'],
    ['ОЅСАР@example.org', 'oscap@example.org'],
    ['nadia@аррӏе.com', 'nadia@apple.com'],
    ['роса@аррӏе.com', 'poca@apple.com'],
    ['анна@сосо.org', 'coco.org'],
    ['admın@example.org', 'admin@example.org'],
    ['ɡa@example.org', 'ga@example.org'],
  ])('is not %s, which looks like %s', (address) => {
    expect(errorsOf(NewEmail, address)).toEqual(['Email must not have letters that look like Latin ones'])
  })

  test('still accepts existing addresses that look like others at sign-in', () => {
    for (const address of ['аdmin@example.org', 'роса@example.org']) expect(Email.safeParse(address).success).toBe(true)
  })

  test('still accepts an existing address with a bidirectional override at sign-in', () => {
    expect(Email.safeParse('a\u202Eb@c.de').success).toBe(true)
  })
})
