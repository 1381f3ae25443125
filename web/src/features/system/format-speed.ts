import { t } from '#contract/texts/t.ts'

/** Formats a real-time factor as `4x real time (factor 0.25)`. */
export function formatSpeed(factor: number): string {
  if (factor <= 0) return t('not measured')
  return t('{times, number, ::@#}x real time (factor {factor, number, ::@#})', { times: 1 / factor, factor })
}
