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
        form.values.id_attribute !== provider.id_attribute &&
        'Another lasting id is another person: the links of accounts to this directory are deleted, and sessions that began there end.'
      }
      {...steps}
    >
      <Section title="Connection">
        <ConnectionFields form={form} example={example} hasSecret={provider?.has_secret ?? false} />
      </Section>
      <Section title="People">
        <EntryFields form={form} />
        <PeopleFields form={form} />
      </Section>
      <Section title="Groups and roles">
        <GroupSearchFields form={form} />
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

interface FieldsProps {
  form: {
    values: LdapValues
    getInputProps: (name: keyof LdapValues, options?: { type: 'checkbox' }) => object
  }
}

/** Returns the props of a field whose text is of a protocol, not of a language. */
function textProps(form: FieldsProps['form'], name: keyof LdapValues) {
  return { dir: 'ltr' as const, spellCheck: false, ...form.getInputProps(name) }
}

interface ConnectionFieldsProps extends FieldsProps {
  example: string | undefined
  /** Whether a password is stored. */
  hasSecret: boolean
}

function ConnectionFields({ form, example, hasSecret }: ConnectionFieldsProps) {
  return (
    <>
      <TextInput
        label="Address"
        description="ldaps:// or, with StartTLS, ldap://. Passwords never travel in the clear."
        placeholder={example}
        required
        inputMode="url"
        {...textProps(form, 'url')}
      />
      <Checkbox label="StartTLS" {...form.getInputProps('uses_starttls', { type: 'checkbox' })} />
      <TextInput
        label="Account that searches"
        description="Its DN or, in Active Directory, its name. Leave it empty to search anonymously."
        placeholder="cn=awaz,ou=services,dc=example,dc=org"
        autoComplete="off"
        {...textProps(form, 'bind_dn')}
      />
      <PasswordInput
        label="Its password"
        description={hasSecret ? 'One is stored. Leave this empty to keep it.' : undefined}
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
        {...textProps(form, 'ca')}
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
    </>
  )
}

/** Where people are and what is read of each. */
function EntryFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput label="Base DN" placeholder="dc=example,dc=org" required {...textProps(form, 'base_dn')} />
      <Textarea
        label="Filter"
        description={
          <>
            <Code>{'{username}'}</Code> stands for what was typed.
          </>
        }
        rows={2}
        classNames={{ input: classes.code ?? '' }}
        {...textProps(form, 'user_filter')}
      />
      <div className={classes.pair}>
        <TextInput label="Attribute: lasting id" {...textProps(form, 'id_attribute')} />
        <TextInput label="Attribute: e-mail" {...textProps(form, 'email_attribute')} />
        <TextInput label="Attribute: first name" {...textProps(form, 'first_name_attribute')} />
        <TextInput label="Attribute: last name" {...textProps(form, 'last_name_attribute')} />
      </div>
    </>
  )
}

function GroupSearchFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Attribute with a person's groups"
        description="Leave it empty where people have none, and search for groups instead."
        {...textProps(form, 'groups_attribute')}
      />
      <TextInput
        label="Base DN of groups"
        description="Where groups are searched for. Leave it empty not to search."
        {...textProps(form, 'group_base_dn')}
      />
      {form.values.group_base_dn.trim() !== '' && (
        <TextInput
          label="Filter of groups"
          description={
            <>
              <Code>{'{dn}'}</Code> stands for the person.
            </>
          }
          {...textProps(form, 'group_filter')}
        />
      )}
    </>
  )
}
