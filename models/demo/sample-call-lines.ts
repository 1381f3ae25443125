/** One sentence of the sample call. */
export interface SampleLine {
  channel: 0 | 1
  language: 'ps' | 'en'
  text: string
  /** What the synthesizer reads if it has no voice for the language. Default: the text. */
  say?: string
}

/**
 * The sample call, in the words the demo models know (models/demo/README.md). espeak-ng has no Pashto voice, so its Persian one reads
 * Pashto in Latin letters.
 */
export const sampleLines: SampleLine[] = [
  ps('سلام زما ملګریه', 'salaam zama malgarya'),
  en('hello my brother'),
  ps('غونډه نن شپه پنځه بجې ده', 'ghunda nan shpa pinza baje da'),
  en('where is the money'),
  ps('پیسې سبا راوړه', 'peyse saba raawra'),
  en('my brother is angry today'),
  ps('وسله کور ته راوړه', 'wasla kor ta raawra'),
  en('do not go to the market tomorrow'),
  ps('سبا په بازار کې بم دی', 'saba pa baazaar ke bam dey'),
  en('attack at the bridge tonight'),
  ps('زه چمتو یم', 'ze chamto yam'),
  en('call my brother tomorrow'),
  ps('مننه زما وروره', 'manana zama wrora'),
  en('thank you my brother'),
]

function ps(text: string, say: string): SampleLine {
  return { channel: 0, language: 'ps', text, say }
}

function en(text: string): SampleLine {
  return { channel: 1, language: 'en', text }
}
