import { Fragment } from 'react'
import classes from './marked-text.module.css'

interface MarkedTextProps {
  text: string
  /** UTF-16 offsets `[from, to]`, in order. */
  marks: readonly (readonly [number, number])[]
}

/** A text with what was found in it marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  return (
    <>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className={classes.mark}>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
