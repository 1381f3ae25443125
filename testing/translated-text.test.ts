import { describe, expect, test } from 'vitest'
import { createTestTranslator } from './translated-text.ts'

const { translate, find } = createTestTranslator(
  {
    'Sign In': 'ورود',
    Rename: 'تغییر نام',
    'Actions for {name}': 'کنش‌های {name}',
    'Open|registration': 'آزاد',
    'Left Channel': 'کانال چپ',
    'Only {speaker}': 'فقط {speaker}',
    Hits: 'یافته‌ها',
    'First name': 'نام',
    Username: 'نام کاربری',
    '{kind, select, transcribe {The transcription} other {The translation}} of {name} is finished.':
      '{kind, select, transcribe {رونویسی} other {ترجمهٔ}} {name} پایان یافت.',
    '{count, plural, one {# recording} other {# recordings}} added to {name}':
      '{count, plural, one {# ضبط} other {# ضبط}} به {name} افزوده شد',
    'Server errors answer <code>{status}</code>': 'پاسخ خطاهای سرور <code>{status}</code> است',
  },
  'fa',
  { Pashto: 'پشتو' },
)

describe('what a test looks for in a translated page', () => {
  test.each([
    ['Sign In', 'ورود'],
    ['Open', 'آزاد'],
    ['Pashto', 'پشتو'],
    ['Actions for call 01.mp3', 'کنش‌های call 01.mp3'],
    ['Only Left Channel', 'فقط کانال چپ'],
    ['2 recordings added to Harbour', '۲ ضبط به Harbour افزوده شد'],
    ['Server errors answer 500', 'پاسخ خطاهای سرور 500 است'],
    ['The transcription of call.mp3 is finished.', 'رونویسی call.mp3 پایان یافت.'],
    ['a name that somebody gave', 'a name that somebody gave'],
  ])('%s', (english, translated) => {
    expect(translate(english)).toBe(translated)
    expect(translated).toMatch(find(english, true))
  })

  test.each([
    [/^Actions for call/, 'کنش‌های call 01.mp3', 'کنش‌های other.mp3'],
    [/^Actions for/, 'کنش‌های call 01.mp3', 'ورود'],
    [/recordings? added/, '۲ ضبط به Harbour افزوده شد', 'کنش‌های call'],
    [/^Sign/, 'ورود', 'کنش‌های call'],
    ['Sign', 'ورود', 'کنش‌های call'],
    ['First name', 'نام', 'نام کاربری'],
    ['Hits 2', 'یافته‌ها ۲', 'یافته‌ها ۳'],
    [/2/, '۲ مورد', '۳ مورد'],
    [/somebody$/, 'given by somebody', 'somebody else'],
  ])('%s', (wanted, hit, miss) => {
    const pattern = find(wanted)
    expect(hit).toMatch(pattern)
    expect(miss).not.toMatch(pattern)
  })
})
