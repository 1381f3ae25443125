import { AppError } from '#contract/app-error.ts'
import { defaultSignInSettings, signInSettingNames, SignInSettings } from '#contract/sign-in-settings.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createSignInSettingsRepository } from '#data/sign-in-settings/sign-in-settings.ts'
import type { AuthUser, RequestOrigin } from '#server/http/context.ts'
import { parseInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'

/** Settings that do not contradict each other, with a sentence for each possible contradiction. */
const ConsistentSignInSettings = SignInSettings.superRefine((settings, context) => {
  const complain = (name: keyof SignInSettings, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  if (settings.registration === 'domains' && settings.registration_domains.length === 0) {
    complain('registration_domains', 'Please enter a domain whose addresses may register')
  }
  if (settings.session_idle_hours > settings.session_hours) {
    complain('session_idle_hours', 'An unused session cannot last longer than any session')
  }
  if (settings.remembered_idle_days > settings.remembered_days) {
    complain('remembered_idle_days', 'An unused remembered session cannot last longer than any remembered session')
  }
})

/** Other servers see a change within this time. */
const maxAgeMs = 2000

interface SignInSettingsDeps {
  config: Pick<Config, 'signIn'>
  connection: DatabaseConnection
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** What super admins decide about signing in. Stored settings override defaults, and the environment overrides both. */
export function createSignInSettings({ config, connection, audit, clock }: SignInSettingsDeps) {
  const repository = createSignInSettingsRepository(connection)
  const fixed = signInSettingNames.filter((name) => config.signIn[name] !== undefined)
  let cached: { settings: Promise<SignInSettings>; readAt: number } | undefined

  async function read(): Promise<SignInSettings> {
    const settings = { ...defaultSignInSettings, ...(await repository.read()), ...config.signIn }
    // The environment may set one of them and leave the other at a longer default.
    return {
      ...settings,
      session_idle_hours: Math.min(settings.session_idle_hours, settings.session_hours),
      remembered_idle_days: Math.min(settings.remembered_idle_days, settings.remembered_days),
    }
  }

  /** Returns the settings, at most two seconds old. */
  function current(): Promise<SignInSettings> {
    const now = clock.now()
    // Also stale if the clock was set back.
    if (cached && Math.abs(now - cached.readAt) < maxAgeMs) return cached.settings
    const settings = read()
    const entry = { settings, readAt: now }
    cached = entry
    settings.catch(() => {
      if (cached === entry) cached = undefined
    })
    return settings
  }

  /** Changes settings. Throws `conflict` if the environment sets one of them, and `invalid_input` if they would contradict each other. */
  async function change(
    changed: Partial<SignInSettings>,
    { user, origin }: { user: AuthUser; origin: RequestOrigin },
  ): Promise<SignInSettings> {
    const before = await read()
    const names = signInSettingNames.filter(
      (name) => changed[name] !== undefined && JSON.stringify(changed[name]) !== JSON.stringify(before[name]),
    )
    const refused = names.filter((name) => fixed.includes(name))
    if (refused.length > 0) {
      throw new AppError('conflict', `The server's configuration decides ${refused.map(toVariable).join(', ')}.`, {
        help: 'Remove the setting from the configuration and restart the server to decide it here.',
      })
    }
    if (names.length === 0) return before
    const wanted = Object.fromEntries(names.map((name) => [name, changed[name]]))
    const after = parseInput(ConsistentSignInSettings, { ...before, ...wanted })
    await repository.change(wanted)
    cached = undefined
    const details = names.map((name) => `${name}: ${describe(before[name])} to ${describe(after[name])}`).join('; ')
    await audit.record({ action: 'admin.sign_in_settings', outcome: 'success', actor: user, details }, origin)
    return after
  }

  return { current, change, fixed }
}

export type SignInSettingsService = ReturnType<typeof createSignInSettings>

/** Returns the environment variable that decides a setting. */
function toVariable(name: string): string {
  return name === 'two_factor_policy' ? 'GATE_REQUIRES_2FA' : name.toUpperCase()
}

function describe(value: SignInSettings[keyof SignInSettings]): string {
  return Array.isArray(value) ? value.join(' ') || 'none' : String(value)
}
