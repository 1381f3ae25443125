import { translateSentence } from '#contract/texts/translate-sentence.ts'

interface CommandMessageProps {
  /** What a command says, in English. */
  children: string
  className?: string | undefined
}

/** A paragraph of a command's words in the reader's language, as far as its texts have them. */
export function CommandMessage({ children: words, className }: CommandMessageProps) {
  const said = translateWords(words)
  const english = said === words && ({ lang: 'en', dir: 'ltr' } as const)
  return (
    <p className={className} {...english}>
      {said}
    </p>
  )
}

/** A failure is several sentences: what happened, and what helps. One that no language has stays as it is. */
function translateWords(words: string): string {
  const whole = translateSentence(words)
  if (whole !== words) return whole
  return words
    .split(/(?<=[.!?]) (?=\p{L})/u)
    .map(translateSentence)
    .join(' ')
}
