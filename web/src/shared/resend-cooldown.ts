import { useCountdown } from './use-countdown.ts'

/** A new verification mail can be requested once a minute (accounts specification, section 9). */
const cooldownSeconds = 60

const keyOf = (email: string) => `resend_until:${email.toLowerCase()}`

function readSecondsLeft(email: string): number {
  const untilMs = Number(sessionStorage.getItem(keyOf(email)) ?? 0)
  return Math.min(cooldownSeconds, Math.max(0, Math.ceil((untilMs - Date.now()) / 1000)))
}

/** Counts down the minute between two verification mails to an address. It continues while other screens are shown. */
export function useResendCooldown(email: string): { secondsLeft: number; start: () => void } {
  const countdown = useCountdown(() => readSecondsLeft(email))
  function start() {
    sessionStorage.setItem(keyOf(email), String(Date.now() + cooldownSeconds * 1000))
    countdown.start(cooldownSeconds)
  }
  return { secondsLeft: countdown.secondsLeft, start }
}
