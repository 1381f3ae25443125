import { useRatePause } from '../../shared/api/rate-pause.ts'
import { Countdown } from '../../shared/ui/countdown.tsx'
import classes from './rate-pause-notice.module.css'

/** Says on every page that it waits because the server accepts no more calls for the time being, and for how long. */
export function RatePauseNotice() {
  const endsAtMs = useRatePause()
  return (
    <div role="status">
      {endsAtMs > 0 && (
        <p className={classes.notice}>
          Too many requests within a minute: the page goes on by itself in <Countdown endsAtMs={endsAtMs} />. What you
          entered is kept.
        </p>
      )}
    </div>
  )
}
