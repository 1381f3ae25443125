import type { Segment } from '#contract/transcription.ts'

/** The demo model repeats itself here until its room is used up. */
export const hopeless = Array(40).fill('سلام').join(' ')

/** One sentence of the demo grammar in its five languages. */
export const angry = {
  en: 'my brother is angry today',
  ps: 'زما ورور نن غوسه دی',
  ur: 'میرا بھائی آج ناراض ہے',
  fa: 'برادر من امروز عصبانی است',
  ar: 'أخي غاضب اليوم',
}
/** Another. */
export const bomb = {
  en: 'there is a bomb at the bridge tonight',
  ps: 'نن شپه پر پل بم دی',
  ur: 'آج رات پل پر بم ہے',
  fa: 'امشب در پل بمب است',
  ar: 'توجد قنبلة عند الجسر الليلة',
}

/** Segments of a second each, with a second between them. */
export function segmentsOf(...texts: string[]): Segment[] {
  return texts.map((text, index) => ({ start: index * 2, end: index * 2 + 1, text }))
}
