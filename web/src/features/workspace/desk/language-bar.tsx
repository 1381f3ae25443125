import { TranscriptionHalf } from '../transcription/transcription-half.tsx'
import { TranslationHalf } from '../translation/translation-half.tsx'
import classes from '../languages/language-bar.module.css'

/** Transcript on the left, translation on the right: their languages, and the actions on each as a whole. */
export function LanguageBar({ onTargetChange }: { onTargetChange: (code: string) => void }) {
  return (
    <div className={classes.bar}>
      <TranscriptionHalf />
      <TranslationHalf onTargetChange={onTargetChange} />
    </div>
  )
}
