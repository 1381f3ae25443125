import { translateSentence } from '#contract/texts/translate-sentence.ts'

interface CommandMessageProps {
  /** The message of a command, in English. */
  children: string
  className?: string | undefined
}

/** A paragraph with a command's message in the user's language, as far as it is translated. */
export function CommandMessage({ children: words, className }: CommandMessageProps) {
  const said = translateWords(words)
  const english = said === words && ({ lang: 'en', dir: 'ltr' } as const)
  return (
    <p className={className} {...english}>
      {said}
    </p>
  )
}

/** Translates a failure, which is several sentences: what happened, and what helps. Sentences without a translation are kept. */
function translateWords(words: string): string {
  const whole = translateSentence(words)
  if (whole !== words) return whole
  return words
    .split(/(?<=[.!?]) (?=\p{L})/u)
    .map(translateSentence)
    .join(' ')
}
