import { Checkbox, Code, NumberInput, PasswordInput, SimpleGrid, TextInput, Textarea } from '@mantine/core'
import type { LdapProviderInput, SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../../shared/texts/rich.tsx'
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
        t(
          'Another lasting id is another person: the links of accounts to this directory are deleted, and sessions that began there end.',
        )
      }
      {...steps}
    >
      <Section title={t('Connection')}>
        <ConnectionFields form={form} example={example} hasSecret={provider?.has_secret ?? false} />
      </Section>
      <Section title={t('People')}>
        <EntryFields form={form} />
        <PeopleFields form={form} />
      </Section>
      <Section title={t('Groups and roles')}>
        <GroupSearchFields form={form} />
        <RoleFields form={form} />
      </Section>
      <Section title={t('Second factor')}>
        <Checkbox
          label={t("The directory's password is enough")}
          description={t(
            'Otherwise people set up two-factor authentication here, which is safer: a directory asks for nothing but the password.',
          )}
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

/** Returns the props of a field whose text belongs to a protocol, not to a language. */
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
        label={t('Address')}
        description={t('ldaps:// or, with StartTLS, ldap://. Passwords never travel in the clear.')}
        placeholder={example}
        required
        inputMode="url"
        {...textProps(form, 'url')}
      />
      <Checkbox label="StartTLS" {...form.getInputProps('uses_starttls', { type: 'checkbox' })} />
      <TextInput
        label={t('Account that searches')}
        description={t('Its DN or, in Active Directory, its name. Leave it empty to search anonymously.')}
        placeholder="cn=awaz,ou=services,dc=example,dc=org"
        autoComplete="off"
        {...textProps(form, 'bind_dn')}
      />
      <PasswordInput
        label={t('Its password')}
        description={hasSecret ? t('One is stored. Leave this empty to keep it.') : undefined}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password'), tabIndex: 0 }}
        {...form.getInputProps('bind_password')}
      />
      <Textarea
        label={t('Certificate of its authority')}
        description={t("PEM. Only where the directory's certificate is from an authority of your own.")}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={3}
        classNames={{ input: classes.code ?? '' }}
        {...textProps(form, 'ca')}
      />
      <NumberInput
        label={t('Time limit')}
        suffix={` ${t('seconds')}`}
        min={1}
        max={60}
        allowDecimal={false}
        maw="12rem"
        {...form.getInputProps('timeout_seconds')}
      />
    </>
  )
}

/** Where the directory holds people, and which attributes are read. */
function EntryFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput label={t('Base DN')} placeholder="dc=example,dc=org" required {...textProps(form, 'base_dn')} />
      <Textarea
        label={t('Filter')}
        description={rich('{placeholder} stands for what was typed.', { placeholder: <Code>{'{username}'}</Code> })}
        rows={2}
        classNames={{ input: classes.code ?? '' }}
        {...textProps(form, 'user_filter')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('Attribute: lasting id')} {...textProps(form, 'id_attribute')} />
        <TextInput label={t('Attribute: e-mail')} {...textProps(form, 'email_attribute')} />
        <TextInput label={t('Attribute: first name')} {...textProps(form, 'first_name_attribute')} />
        <TextInput label={t('Attribute: last name')} {...textProps(form, 'last_name_attribute')} />
      </SimpleGrid>
    </>
  )
}

function GroupSearchFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput
        label={t("Attribute with a person's groups")}
        description={t('Leave it empty where people have none, and search for groups instead.')}
        {...textProps(form, 'groups_attribute')}
      />
      <TextInput
        label={t('Base DN of groups')}
        description={t('Where groups are searched for. Leave it empty not to search.')}
        {...textProps(form, 'group_base_dn')}
      />
      {form.values.group_base_dn.trim() !== '' && (
        <TextInput
          label={t('Filter of groups')}
          description={rich('{placeholder} stands for the person.', { placeholder: <Code>{'{dn}'}</Code> })}
          {...textProps(form, 'group_filter')}
        />
      )}
    </>
  )
}
