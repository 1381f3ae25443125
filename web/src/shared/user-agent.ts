import { t } from '#contract/texts/t.ts'

const browsers = [
  { name: 'Edge', pattern: /Edg\// },
  { name: 'Opera', pattern: /OPR\// },
  { name: 'Firefox', pattern: /Firefox\// },
  { name: 'Chrome', pattern: /Chrome\// },
  { name: 'Safari', pattern: /Safari\// },
]
const systems = [
  { name: 'Windows', pattern: /Windows/ },
  { name: 'Android', pattern: /Android/ },
  { name: 'iPhone', pattern: /iPhone|iPad/ },
  { name: 'macOS', pattern: /Mac OS X/ },
  { name: 'Linux', pattern: /Linux/ },
]

/** Describes a user agent as `Firefox on Windows`; an unknown one is returned unchanged. */
export function describeAgent(userAgent: string): string {
  const browser = browsers.find(({ pattern }) => pattern.test(userAgent))?.name
  const system = systems.find(({ pattern }) => pattern.test(userAgent))?.name
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? (userAgent.slice(0, 60) || t('Unknown program'))
}
