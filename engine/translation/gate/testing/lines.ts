import type { NotTranslatedReason } from '../verdict.ts'

/** A line of a call in the product's languages and in German. */
export const money = {
  en: 'I will bring the money to your brother tomorrow evening',
  ps: 'زه به سبا ماښام ستا ورور ته پیسې راوړم',
  ur: 'میں کل شام تمہارے بھائی کو پیسے لا کر دوں گا',
  fa: 'من فردا عصر پول را برای برادرت می‌آورم',
  ar: 'سأحضر المال إلى أخيك مساء الغد',
  de: 'Ich bringe deinem Bruder morgen Abend das Geld',
}
/** Another. */
export const road = {
  en: 'The road to Kabul is closed because of the snow',
  ps: 'د واورې له امله د کابل سړک بند دی',
  ur: 'برف کی وجہ سے کابل کی سڑک بند ہے',
  fa: 'راه کابل به خاطر برف بسته است',
  ar: 'الطريق إلى كابول مغلق بسبب الثلج',
  de: 'Die Straße nach Kabul ist wegen des Schnees gesperrt',
}
export type LanguageCode = keyof typeof money
export const codes = Object.keys(money) as LanguageCode[]

/** Source text, source language, target language, answer. */
export type TranslatedLine = [text: string, source: string, target: string, answer: string]
/** Ends with the reasons of which the gate must give one: garbage is often of two kinds. */
export type RejectedCompletion = [...TranslatedLine, ...NotTranslatedReason[]]
