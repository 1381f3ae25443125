import { isolateName } from '#contract/isolated-name.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import classes from './line-marks.module.css'

interface LineMarkProps {
  /** Explains the mark. */
  title: string
  isHatched?: boolean
  children: string
}

/** A word of remark at the end of a line, in the reader's language whatever the language of the text. */
export function LineMark({ title, isHatched = false, children }: LineMarkProps) {
  const language = currentLanguage()
  return (
    <span
      className={classes.mark}
      data-hatched={isHatched || undefined}
      lang={language}
      dir={interfaceLanguages[language].direction}
      title={title}
    >
      {children}
    </span>
  )
}

/** Marks a line during which someone else is also speaking. */
export function TalkOverMark() {
  return (
    <LineMark title={t('Another voice speaks at the same time: text and speaker may be mixed')} isHatched>
      {t('talk-over')}
    </LineMark>
  )
}

/** Marks a line that a person moved to another speaker. */
export function MovedMark({ from }: { from: string }) {
  return <LineMark title={t('Moved by hand; found as {from}', { from: isolateName(from) })}>{t('moved')}</LineMark>
}
