import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { signInAdmin } from '#contract/endpoints/sso.ts'
import { SignInProviderInput, type SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toastError } from '../../../shared/toast.tsx'

const queryKey = ['sign-in-providers']

/** OpenID providers and directories, without their secrets. */
export function useProviders() {
  return useQuery({ queryKey, queryFn: async () => (await call(signInAdmin.listProviders)).providers })
}

/** Returns a function that refetches the providers, including those the sign-in page offers. */
export function useRefreshProviders(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey: ['config'] })])
}

/** Creates a provider, or changes the one with this id. Throws ApiError. */
export async function saveProvider(id: string | undefined, body: SignInProviderInput): Promise<SignInProvider> {
  if (id === undefined) return (await call(signInAdmin.createProvider, { body })).provider
  return (await call(signInAdmin.updateProvider, { params: { id }, body })).provider
}

/** Returns the request body that updates a provider, without its secret, which is kept. */
export function toInput(provider: SignInProvider): SignInProviderInput {
  return SignInProviderInput.parse(provider)
}

/** Returns mutations that enable, disable or remove a provider. Failures are shown as toasts. */
export function useProviderActions(provider: SignInProvider) {
  const refresh = useRefreshProviders()
  const options = {
    onSettled: () => refresh(),
    onError: (error: Error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, t('Network error. Please try again.')))
    },
  }
  return {
    toggle: useMutation({
      ...options,
      mutationFn: (isEnabled: boolean) => saveProvider(provider.id, { ...toInput(provider), is_enabled: isEnabled }),
    }),
    remove: useMutation({
      ...options,
      mutationFn: () => call(signInAdmin.deleteProvider, { params: { id: provider.id } }),
    }),
  }
}
