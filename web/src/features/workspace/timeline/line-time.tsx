import classes from './line-time.module.css'

/** The time of a line, in digits of equal width. */
export function LineTime({ children }: { children: string }) {
  return <span className={classes.time}>{children}</span>
}
