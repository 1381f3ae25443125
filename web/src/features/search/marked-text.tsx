import { Fragment } from 'react'
import classes from './marked-text.module.css'

interface MarkedTextProps {
  text: string
  /** UTF-16 offsets `[from, to]`, in order. */
  marks: readonly (readonly [number, number])[]
  /** The marks that are a different spelling of the search term. */
  spelled: readonly (readonly [number, number])[]
}

/** A text with its matches marked. */
export function MarkedText({ text, marks, spelled }: MarkedTextProps) {
  return (
    <>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className={classes.mark} data-spelled={spelled.some((mark) => mark[0] === from) || undefined}>
            {text.slice(from, to)}
          </mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
