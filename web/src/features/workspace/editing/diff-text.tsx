import { Fragment } from 'react'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import classes from './diff-text.module.css'
import type { DiffPart } from './word-diff.ts'

interface DiffTextProps {
  parts: DiffPart[]
  language: string | null
}

/** A text in which the words that differ from another text are marked. */
export function DiffText({ parts, language }: DiffTextProps) {
  return (
    <DirectionalText language={language} plainText={parts.map(({ text }) => text).join('')} className={classes.text}>
      {parts.map(({ text, isChanged }, index) =>
        isChanged ? (
          <Fragment key={index}>
            <mark className={classes.changed}>{text.trimEnd()}</mark>
            {text.slice(text.trimEnd().length)}
          </Fragment>
        ) : (
          text
        ),
      )}
    </DirectionalText>
  )
}
