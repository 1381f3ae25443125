import { styleText } from 'node:util'
import type { KeywordsInUse } from '#contract/keywords/defaults.ts'
import { findKeywords } from '#contract/keywords/find-keywords.ts'
import { keywordCategories, keywordCategoryNames, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { transcriptLines, type DoubtChoice } from '#contract/formats/lines.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { listWarningNotes } from '#contract/warning-notes.ts'
import type { TranslationResult } from '#contract/translation.ts'

type Style = Parameters<typeof styleText>[0]

/** Colour and sign of each category, as in the web app: the sign is for people who cannot see the colour. */
const categoryStyles: Record<KeywordCategory, { style: Style; sign: string }> = {
  threats: { style: ['red', 'bold'], sign: '▲' },
  sentiment: { style: ['magenta', 'bold'], sign: '◆' },
  intent: { style: ['blue', 'bold'], sign: '■' },
  custom: { style: ['green', 'bold'], sign: '●' },
}
const speakerStyles: Style[] = ['cyan', 'yellow', 'green', 'magenta', 'blue', 'red']

interface ColourOptions {
  transcription: TranscriptionResult
  translation: TranslationResult | undefined
  keywords: KeywordsInUse
  doubt: DoubtChoice
  /** Where the text will be printed; coloured only on a terminal that supports colours. */
  stream: NodeJS.WriteStream
}

/** Renders a transcript for a terminal: each line with time and speaker, its translation below, keyword hits in colour. */
export function colourTranscript(options: ColourOptions): string {
  const { transcription, translation, keywords, doubt, stream } = options
  const paint = (style: Style, text: string) => styleText(style, text, { stream })
  const counts = { threats: 0, sentiment: 0, intent: 0, custom: 0 }

  function highlight(text: string, language: string | null): string {
    let painted = ''
    let from = 0
    for (const hit of findKeywords(text, keywords, language)) {
      counts[hit.category] += 1
      const { style, sign } = categoryStyles[hit.category]
      painted +=
        text.slice(from, hit.start) +
        paint(style, `${sign}${hit.isSimilar ? '≈' : ''}${text.slice(hit.start, hit.end)}`)
      from = hit.end
    }
    return painted + text.slice(from)
  }

  const speakers = transcription.speaker_transcriptions.map(({ speaker }) => speaker)
  const document = { name: null, transcription, translation: translation ?? null }
  const lines = transcriptLines(document, doubt).map((line) => {
    const speaker = line.speaker ?? 'Speaker A'
    const style = speakerStyles[Math.max(0, speakers.indexOf(speaker)) % speakerStyles.length] ?? 'white'
    const name = paint(style, speaker)
    const head = `${clock(line.startMs)}  ${name}  ${paint('dim', line.language ?? '??')}`
    const translated = line.translation && (line.translation.error ?? line.translation.text)
    // A line that is already in the target language is not repeated, even where its uncertain words are marked.
    const isInTarget = line.language === translation?.target_language && !line.translation?.error
    const second =
      translated === null || translated === line.text || isInTarget
        ? ''
        : `\n${' '.repeat(7)}${paint('dim', '▸')} ${highlight(translated, translation?.target_language ?? null)}`
    return `${head}  ${highlight(line.text, line.language)}${second}`
  })
  if (lines.length === 0) {
    const isCertain = transcription.segments.length > 0
    lines.push(isCertain ? 'No uncertain lines.' : 'No speech was found in this recording.')
  }
  const warnings = listNotes(transcription).map((note) => paint('yellow', `Note: ${note}`))
  return `${[...lines, '', summary(counts, paint), ...warnings].join('\n')}\n`
}

/** Lists the warnings, and the option that helps where the language changes; the web app has a button for that. */
function listNotes({ warnings }: TranscriptionResult): string[] {
  const messages = listWarningNotes(warnings)
  const hasChange = warnings.some(({ code }) => code === 'language_changes')
  return hasChange ? [...messages, '--language multi transcribes each passage in its own language.'] : messages
}

function summary(counts: Record<KeywordCategory, number>, paint: (style: Style, text: string) => string): string {
  const parts = keywordCategories.map((category) => {
    const { style, sign } = categoryStyles[category]
    return paint(style, `${sign} ${counts[category]} ${keywordCategoryNames[category].name.toLowerCase()}`)
  })
  return `Keywords: ${parts.join('   ')}`
}

/** Formats milliseconds as mm:ss. */
function clock(timeMs: number): string {
  const whole = Math.floor(timeMs / 1000)
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}
