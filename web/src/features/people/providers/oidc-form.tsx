import { Checkbox, PasswordInput, TagsInput, TextInput } from '@mantine/core'
import type { OidcProviderInput, SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'
import { CallbackAddresses } from './callback-addresses.tsx'
import { FormFrame, type ProviderFormProps } from './form-frame.tsx'
import { PeopleFields, RoleFields, Section } from './provider-fields.tsx'
import { useProviderForm } from './use-provider-form.ts'

type OidcProvider = Extract<SignInProvider, { kind: 'oidc' }>

function toBody({ client_secret: secret, ...values }: OidcProviderInput & { client_secret: string }) {
  return { ...values, ...(secret && { client_secret: secret }) }
}

/** The settings of an OpenID provider. */
export function OidcForm({ provider, initial, example, ...steps }: ProviderFormProps<OidcProvider, OidcProviderInput>) {
  const { onSaved } = steps
  const start = provider ? toValues(provider) : initial
  const initialValues = { ...start, client_secret: '' }
  const { form, submit, isBusy, generalError } = useProviderForm({ provider, initialValues, toBody, onSaved })
  return (
    <FormFrame
      form={form}
      onSubmit={submit}
      isBusy={isBusy}
      error={generalError}
      isNew={!provider}
      warning={
        provider &&
        provider.users > 0 &&
        form.values.issuer !== provider.issuer &&
        t(
          'Another issuer is another provider: the links of accounts to this one are deleted, and sessions that began there end.',
        )
      }
      {...steps}
    >
      <Section title={t('Connection')}>
        <TextInput
          label={t('Issuer')}
          description={t('Where the provider describes itself, below /.well-known/openid-configuration.')}
          placeholder={example}
          required
          dir="ltr"
          inputMode="url"
          {...form.getInputProps('issuer')}
        />
        <TextInput label={t('Client ID')} required dir="ltr" autoComplete="off" {...form.getInputProps('client_id')} />
        <PasswordInput
          label={t('Client secret')}
          description={
            provider?.has_secret
              ? t('One is stored. Leave this empty to keep it.')
              : t('Of a confidential client. Leave it empty for a public one.')
          }
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the client secret'), tabIndex: 0 }}
          {...form.getInputProps('client_secret')}
        />
        <TextInput
          label={t('Scopes')}
          description={t('What is asked for, parted by spaces. openid is needed.')}
          dir="ltr"
          {...form.getInputProps('scopes')}
        />
        {provider && <CallbackAddresses callbackUrl={provider.callback_url} />}
      </Section>
      <Section title={t('People')}>
        <Checkbox
          label={t('Addresses are right although the provider does not say so')}
          description={t(
            'For a provider that sends no email_verified, and where only its administrators change addresses.',
          )}
          {...form.getInputProps('trusts_email', { type: 'checkbox' })}
        />
        <PeopleFields form={form} />
      </Section>
      <Section title={t('Groups and roles')}>
        <TextInput
          label={t('Claim with the groups')}
          description={t('Of the ID token or of the user info.')}
          dir="ltr"
          {...form.getInputProps('groups_claim')}
        />
        <RoleFields form={form} />
      </Section>
      <Section title={t('Second factor')}>
        <TagsInput
          label={t('Signs of a second factor')}
          description={t(
            'Values of amr or acr by which the provider says that it asked for one. Ours is not asked for then.',
          )}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          dir="ltr"
          {...form.getInputProps('second_factor_values')}
        />
        <Checkbox
          label={t('Trust it without a sign')}
          description={t('For a provider that always asks for a second factor and does not say so.')}
          {...form.getInputProps('replaces_two_factor', { type: 'checkbox' })}
        />
      </Section>
    </FormFrame>
  )
}

function toValues(provider: OidcProvider): OidcProviderInput {
  const { id: _id, has_secret: _secret, created_at: _at, users: _users, callback_url: _url, ...values } = provider
  return values
}
