import { expect, test } from 'vitest'
import { createLetterModel, loadLetterModels } from './letter-model.ts'

const sentences = {
  fa: [
    'فردا صبح به بازار می‌رویم و نان تازه می‌خریم',
    'این نامه را برای برادرم نوشته بودم',
    'چند نفر امشب با تو به خانه می‌آیند',
  ],
  ps: [
    'سبا سهار بازار ته ځو او تازه ډوډۍ اخلو',
    'دا لیک مې خپل ورور ته لیکلی و',
    'نن شپه څو کسان له تا سره کور ته راځي',
  ],
  ur: [
    'کل صبح ہم بازار جائیں گے اور تازہ روٹی خریدیں گے',
    'یہ خط میں نے اپنے بھائی کو لکھا تھا',
    'آج رات تمہارے ساتھ کتنے لوگ گھر آئیں گے',
  ],
  ar: [
    'سنذهب غدا صباحا إلى السوق ونشتري خبزا طازجا',
    'كتبت هذه الرسالة إلى أخي',
    'كم شخصا سيأتي معك إلى البيت هذه الليلة',
  ],
}

test.each(Object.entries(sentences))('sentences in %s fit its letters best', async (language, own) => {
  const fits = [...(await loadLetterModels())].map(([code, model]) => {
    return [code, model.meanLogProbability(own.join('. ')) ?? 0] as const
  })
  const [best] = fits.toSorted(([, a], [, b]) => b - a)
  expect(best?.[0]).toBe(language)
})

test('letters that follow one another often are more probable, and unknown ones are not impossible', () => {
  const model = createLetterModel(['باب باب باب'])
  const [known = 0, unknown = 0] = ['باب', 'خثخ'].map((text) => model.meanLogProbability(text))
  expect(known).toBeGreaterThan(unknown)
  expect(Number.isFinite(unknown)).toBe(true)
})

test('what is only spelt in the letters of a language is improbable in it', async () => {
  const english = (await loadLetterModels()).get('en')
  const [said = 0, spelt = 0] = ['He called his brother', 'Farda sobh be bazar miravim'].map((text) =>
    english?.meanLogProbability(text),
  )
  expect(said).toBeGreaterThan(spelt + 1)
})

test('a text without letters says nothing', () => {
  expect(createLetterModel(['door']).meanLogProbability('12, 13!')).toBeUndefined()
})
