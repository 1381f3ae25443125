import classes from './logo.module.css'

/** The mark and the name. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden className={classes.mark}>
        <rect width="32" height="32" rx="9" />
        <path d="M8 13.5v5M12.2 10v12M16.4 6.5v19M20.6 11v10M24.8 14v4" />
      </svg>
      <span className={classes.name}>Awaz</span>
    </span>
  )
}
