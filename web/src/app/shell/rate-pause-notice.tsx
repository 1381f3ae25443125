import { useRatePause } from '../../shared/api/rate-pause.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Countdown } from '../../shared/ui/countdown.tsx'
import classes from './rate-pause-notice.module.css'

/** Says on every page that it waits because the server accepts no more calls for the time being, and for how long. */
export function RatePauseNotice() {
  const endsAtMs = useRatePause()
  return (
    <div role="status">
      {endsAtMs > 0 && (
        <p className={classes.notice}>
          {rich('Too many requests within a minute: the page goes on by itself in {time}. What you entered is kept.', {
            time: <Countdown endsAtMs={endsAtMs} />,
          })}
        </p>
      )}
    </div>
  )
}
