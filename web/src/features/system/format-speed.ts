import { t } from '#contract/texts/t.ts'

/** Formats a real-time factor as `4x real time (factor 0.25)`. */
export function formatSpeed(factor: number): string {
  if (factor <= 0) return t('not measured')
  const times = 1 / factor
  return t('{times}x real time (factor {factor})', { times: trim(times), factor: trim(factor) })
}

function trim(value: number): string {
  return String(Number(value.toPrecision(2)))
}
