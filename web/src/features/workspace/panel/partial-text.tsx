import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import classes from './partial-text.module.css'

/** The text found so far, as a whole. Nothing while there is none. */
export function PartialText({ text, language }: { text: string; language: string | null }) {
  if (!text) return null
  return (
    <DirectionalText language={language} className={classes.text}>
      {text}
    </DirectionalText>
  )
}
