import { SignInProviderInput, type GroupRole, type SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../../shared/form/form-errors.ts'
import { useMutationForm } from '../../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../../shared/toast.tsx'
import { saveProvider, useRefreshProviders } from './use-providers.ts'

interface ProviderFormOptions<Values> {
  /** The provider to change; undefined for a new one. */
  provider: SignInProvider | undefined
  initialValues: Values
  /** Returns the request body, without a secret left empty: the stored one is then kept. */
  toBody: (values: Values) => SignInProviderInput
  onSaved: (provider: SignInProvider) => void
}

/** A form that creates or changes a provider. Group rows without a name are left out. */
export function useProviderForm<Values extends { group_roles: GroupRole[] }>(options: ProviderFormOptions<Values>) {
  const { provider, initialValues, toBody, onSaved } = options
  const refresh = useRefreshProviders()
  const prepare = (values: Values) => {
    const groupRoles = values.group_roles.filter(({ group }) => group.trim() !== '')
    return toBody({ ...values, group_roles: groupRoles })
  }
  return useMutationForm({
    initialValues,
    validate: (values: Values) => validateInput(SignInProviderInput, prepare(values)),
    send: (values: Values) => saveProvider(provider?.id, prepare(values)),
    onSuccess: async (saved) => {
      const name = isolateName(saved.name)
      toastSuccess(provider ? t('{name} changed', { name }) : t('{name} added', { name }))
      onSaved(saved)
      await refresh()
    },
  })
}
