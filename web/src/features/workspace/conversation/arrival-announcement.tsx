import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '#contract/texts/t.ts'

/** How often the number of lines is announced to screen readers. */
const announceIntervalMs = 20_000

/** The number of lines so far: reading every line aloud as it arrives would drown everything else. */
export function ArrivalAnnouncement({ lineCount }: { lineCount: number }) {
  const latest = useRef(lineCount)
  const [announced, setAnnounced] = useState(0)
  useEffect(() => {
    latest.current = lineCount
  }, [lineCount])
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), announceIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <VisuallyHidden role="status">
      {announced > 0 && t('{announced, plural, one {# line so far} other {# lines so far}}', { announced })}
    </VisuallyHidden>
  )
}
