import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { SignInSettingsService } from './service.ts'

export function mountSignInSettings(
  router: AppRouter,
  { signInSettings }: { signInSettings: SignInSettingsService },
): void {
  const { current, change, fixed } = signInSettings

  route(router, api.signInAdmin.getSettings, async () => ({ settings: await current(), fixed }))

  route(router, api.signInAdmin.changeSettings, async ({ body, user, origin }) => ({
    settings: await change(body, { user, origin }),
    fixed,
  }))
}
