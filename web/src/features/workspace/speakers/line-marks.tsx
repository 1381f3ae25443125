import classes from './line-marks.module.css'

/** Marks a line during which somebody else speaks too. */
export function TalkOverMark() {
  return (
    <span
      className={classes.mark}
      data-hatched
      lang="en"
      dir="ltr"
      title="Another voice speaks at the same time: text and speaker may be mixed"
    >
      talk-over
    </span>
  )
}

/** Marks a line that a person moved to another speaker. */
export function MovedMark({ from }: { from: string }) {
  return (
    <span className={classes.mark} lang="en" dir="ltr" title={`Moved by hand; found as ${from}`}>
      moved
    </span>
  )
}
