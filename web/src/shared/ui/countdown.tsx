import { useEffect, useState } from 'react'
import { t } from '#contract/texts/t.ts'

/** The seconds until a time by Date.now(), counting down to 1: `23 s`. Screen readers do not announce each second. */
export function Countdown({ endsAtMs }: { endsAtMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000))
  return (
    <span role="timer" aria-live="off">
      {t('{seconds, number} s', { seconds })}
    </span>
  )
}
