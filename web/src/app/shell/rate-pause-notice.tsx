import { Text } from '@mantine/core'
import { useRatePause } from '../../shared/api/rate-pause.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Countdown } from '../../shared/ui/countdown.tsx'
import common from '../../shared/ui/common.module.css'

/** Says on every page that it is waiting because the server currently accepts no more calls, and for how long. */
export function RatePauseNotice() {
  const endsAtMs = useRatePause()
  return (
    <div role="status">
      {endsAtMs > 0 && (
        <Text py="xs" px="lg" bg="var(--awaz-sunken)" fz="sm" className={`${common.lineBelow} ${common.figures}`}>
          {rich('Too many requests within a minute: the page goes on by itself in {time}. What you entered is kept.', {
            time: <Countdown endsAtMs={endsAtMs} />,
          })}
        </Text>
      )}
    </div>
  )
}
