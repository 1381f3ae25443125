import { Checkbox, Code, NumberInput, PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { LdapProviderInput, SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { FormFrame, type ProviderFormProps } from './form-frame.tsx'
import { PeopleFields, RoleFields, Section } from './provider-fields.tsx'
import classes from './providers.module.css'
import { useProviderForm } from './use-provider-form.ts'

type LdapProvider = Extract<SignInProvider, { kind: 'ldap' }>
type LdapValues = LdapProviderInput & { bind_password: string }

function toBody({ bind_password: password, ...values }: LdapValues) {
  return { ...values, ...(password && { bind_password: password }) }
}

/** The settings of a directory. */
export function LdapForm({ provider, initial, example, ...steps }: ProviderFormProps<LdapProvider, LdapProviderInput>) {
  const { onSaved } = steps
  const start = provider ? toValues(provider) : initial
  const initialValues: LdapValues = { ...start, bind_password: '' }
  const { form, submit, isBusy, generalError } = useProviderForm({ provider, initialValues, toBody, onSaved })
  const text = (name: keyof LdapValues) => ({ dir: 'ltr' as const, spellCheck: false, ...form.getInputProps(name) })
  return (
    <FormFrame form={form} onSubmit={submit} isBusy={isBusy} error={generalError} isNew={!provider} {...steps}>
      <Section title="Connection">
        <TextInput
          label="Address"
          description="ldaps:// or, with StartTLS, ldap://. Passwords never travel in the clear."
          placeholder={example}
          required
          inputMode="url"
          {...text('url')}
        />
        <Checkbox label="StartTLS" {...form.getInputProps('uses_starttls', { type: 'checkbox' })} />
        <TextInput
          label="Account that searches"
          description="Its DN or, in Active Directory, its name. Leave it empty to search anonymously."
          placeholder="cn=awaz,ou=services,dc=example,dc=org"
          autoComplete="off"
          {...text('bind_dn')}
        />
        <PasswordInput
          label="Its password"
          description={provider?.has_secret ? 'One is stored. Leave this empty to keep it.' : undefined}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
          {...form.getInputProps('bind_password')}
        />
        <Textarea
          label="Certificate of its authority"
          description="PEM. Only where the directory's certificate is from an authority of your own."
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={3}
          classNames={{ input: classes.code ?? '' }}
          {...text('ca')}
        />
        <NumberInput
          label="Time limit"
          suffix=" seconds"
          min={1}
          max={60}
          allowDecimal={false}
          maw="12rem"
          {...form.getInputProps('timeout_seconds')}
        />
      </Section>
      <Section title="People">
        <TextInput label="Base DN" placeholder="dc=example,dc=org" required {...text('base_dn')} />
        <Textarea
          label="Filter"
          description={
            <>
              <Code>{'{username}'}</Code> stands for what was typed.
            </>
          }
          rows={2}
          classNames={{ input: classes.code ?? '' }}
          {...text('user_filter')}
        />
        <div className={classes.pair}>
          <TextInput label="Attribute: lasting id" {...text('id_attribute')} />
          <TextInput label="Attribute: e-mail" {...text('email_attribute')} />
          <TextInput label="Attribute: first name" {...text('first_name_attribute')} />
          <TextInput label="Attribute: last name" {...text('last_name_attribute')} />
        </div>
        <PeopleFields form={form} />
      </Section>
      <Section title="Groups and roles">
        <TextInput
          label="Attribute with a person's groups"
          description="Leave it empty where people have none, and search for groups instead."
          {...text('groups_attribute')}
        />
        <TextInput
          label="Base DN of groups"
          description="Where groups are searched for. Leave it empty not to search."
          {...text('group_base_dn')}
        />
        {form.values.group_base_dn.trim() !== '' && (
          <TextInput
            label="Filter of groups"
            description={
              <>
                <Code>{'{dn}'}</Code> stands for the person.
              </>
            }
            {...text('group_filter')}
          />
        )}
        <RoleFields form={form} />
      </Section>
      <Section title="Second factor">
        <Checkbox
          label="The directory's password is enough"
          description="Otherwise people set up two-factor authentication here, which is safer: a directory asks for nothing but the password."
          {...form.getInputProps('replaces_two_factor', { type: 'checkbox' })}
        />
      </Section>
    </FormFrame>
  )
}

function toValues(provider: LdapProvider): LdapProviderInput {
  const { id: _id, has_secret: _secret, created_at: _at, users: _users, ...values } = provider
  return values
}
