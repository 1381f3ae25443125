import { api } from '#contract/api.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { presentProvider } from './present.ts'
import type { ProviderChanges } from './provider-changes.ts'
import type { Providers } from './providers.ts'
import type { TestProvider } from './test-provider.ts'

export interface ProviderRoutesDeps {
  providers: Providers
  providerChanges: ProviderChanges
  testProvider: TestProvider
  publicUrl: string
}

export function mountProviders(
  router: AppRouter,
  { providers, providerChanges, testProvider, publicUrl }: ProviderRoutesDeps,
): void {
  async function present(provider: SignInProviderRecord) {
    return presentProvider(provider, { users: await providers.countUsers(provider.id), publicUrl })
  }

  route(router, api.signInAdmin.listProviders, async () => ({
    providers: await Promise.all((await providers.list()).map(present)),
  }))

  route(router, api.signInAdmin.createProvider, async ({ body, user, origin }) => ({
    provider: await present(await providerChanges.create({ user, origin }, body)),
  }))

  route(router, api.signInAdmin.updateProvider, async ({ params, body, user, origin }) => ({
    provider: await present(await providerChanges.update({ user, origin }, params.id, body)),
  }))

  route(router, api.signInAdmin.deleteProvider, async ({ params, user, origin }) => {
    await providerChanges.remove({ user, origin }, params.id)
    return { message: 'Provider removed' }
  })

  route(router, api.signInAdmin.testProvider, async ({ params, body, user, origin }) => {
    const provider = await providers.get(params.id)
    const result = await testProvider(provider, body.username)
    await providerChanges.recordTest({ user, origin }, provider)
    return result
  })
}
