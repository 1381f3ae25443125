import { useEffect, useState } from 'react'

/**
 * Returns the seconds left until a time set by `start`; 0 if none is set or it has passed. Uses the clock, so a sleeping tab catches up.
 * `readInitial` returns the seconds initially left; default 0.
 */
export function useCountdown(readInitial: () => number = () => 0): {
  secondsLeft: number
  start: (seconds: number) => void
  clear: () => void
} {
  const [secondsLeft, setSecondsLeft] = useState(readInitial)
  const [endsAtMs, setEndsAtMs] = useState(() => (secondsLeft > 0 ? Date.now() + secondsLeft * 1000 : 0))

  useEffect(() => {
    if (endsAtMs === 0) return
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000))
      setSecondsLeft(left)
      if (left === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [endsAtMs])

  function start(seconds: number) {
    setSecondsLeft(seconds)
    setEndsAtMs(Date.now() + seconds * 1000)
  }
  function clear() {
    setSecondsLeft(0)
    setEndsAtMs(0)
  }
  return { secondsLeft, start, clear }
}
