import { settings } from '#data/settings.ts'
import type { UpgradeInfo } from './upgrade-info.ts'

/** Returns a sentence for each setting of this installation that a release no longer knows: it would not start with it. */
export function findForgottenSettings(info: Pick<UpgradeInfo, 'settings'>, env: NodeJS.ProcessEnv): string[] {
  const known = new Set(info.settings)
  const used = Object.keys(settings).filter((name) => env[name] || env[`${name}_FILE`])
  const forgotten = used.filter((name) => !known.has(name))
  return forgotten.map(
    (name) => `It does not know the setting ${name}, which is set. CHANGELOG.md says what became of it.`,
  )
}
