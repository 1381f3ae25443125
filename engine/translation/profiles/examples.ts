import type { TranslationProfile } from '#engine/models/model-entry.ts'
import type { LanguagePair } from '../prompt.ts'
import type { GlossaryEntry } from './request.ts'

/** Few-shot examples: sentences of a call in the product's languages, one per row. */
const rows: Record<string, string>[] = [
  {
    en: 'Hello, how are you and the family?',
    ps: 'سلام، تاسو او کورنۍ مو څنګه یئ؟',
    fa: 'سلام، شما و خانواده چطور هستید؟',
    ur: 'السلام علیکم، آپ اور گھر والے کیسے ہیں؟',
    ar: 'مرحبا، كيف حالك وحال العائلة؟',
  },
  {
    en: 'I will send the money to my brother tomorrow.',
    ps: 'زه به سبا خپل ورور ته پیسې ولېږم.',
    fa: 'من فردا برای برادرم پول می‌فرستم.',
    ur: 'میں کل اپنے بھائی کو پیسے بھیجوں گا۔',
    ar: 'سأرسل المال إلى أخي غدا.',
  },
  {
    en: 'Where were you last night? Nobody answered the phone.',
    ps: 'تېره شپه چېرته وې؟ هیچا تلیفون نه اخیست.',
    fa: 'دیشب کجا بودی؟ هیچ کس تلفن را جواب نداد.',
    ur: 'کل رات تم کہاں تھے؟ کسی نے فون نہیں اٹھایا۔',
    ar: 'أين كنت الليلة الماضية؟ لم يرد أحد على الهاتف.',
  },
  {
    en: 'The car is broken, so we are coming by bus.',
    ps: 'موټر خراب دی، نو موږ په بس کې درځو.',
    fa: 'ماشین خراب است، برای همین با اتوبوس می‌آییم.',
    ur: 'گاڑی خراب ہے، اس لیے ہم بس سے آ رہے ہیں۔',
    ar: 'السيارة معطلة، لذلك سنأتي بالحافلة.',
  },
]

/** Returns the few-shot examples for a pair: those of the profile, or else the built-in ones; none for other languages. */
export function examplesFor({ source, target }: LanguagePair, profile: Pick<TranslationProfile, 'examples'>) {
  const own = profile.examples?.[`${source}-${target}`]
  if (own) return own
  return rows.flatMap((row): GlossaryEntry[] => {
    const [from, to] = [row[source], row[target]]
    return from === undefined || to === undefined ? [] : [{ source: from, target: to }]
  })
}
