import { Button, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import {
  type SignInProvider,
  LdapProviderInput,
  OidcProviderInput,
  type LdapProviderInput as LdapInput,
  type OidcProviderInput as OidcInput,
} from '#contract/entities/sign-in-provider.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { CallbackAddresses } from './callback-addresses.tsx'
import { LdapForm } from './ldap-form.tsx'
import { OidcForm } from './oidc-form.tsx'
import classes from './providers.module.css'
import { TestPanel } from './test-panel.tsx'

interface ProviderDialogProps {
  isOpen: boolean
  /** The provider to change; missing to add one. */
  provider?: SignInProvider
  onClose: () => void
}

interface PresetWords {
  label: string
  description: string
  /** A typical address of this system. */
  example: string
}

type OidcPreset = PresetWords & { values: OidcInput }
type LdapPreset = PresetWords & { values: LdapInput }
type Preset = OidcPreset | LdapPreset

/** Adds a provider of a chosen system, or changes one. */
export function ProviderDialog({ isOpen, provider, onClose }: ProviderDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={provider ? t('Change {name}', { name: isolateName(provider.name) }) : t('Add provider')}
      size="lg"
      closeOnClickOutside={false}
    >
      {provider ? <ChangeSteps provider={provider} onClose={onClose} /> : <AddSteps onClose={onClose} />}
    </Modal>
  )
}

function ChangeSteps({ provider, onClose }: { provider: SignInProvider; onClose: () => void }) {
  if (provider.kind === 'oidc') return <OidcForm provider={provider} onSaved={onClose} onCancel={onClose} />
  return <LdapForm provider={provider} onSaved={onClose} onCancel={onClose} />
}

function AddSteps({ onClose }: { onClose: () => void }) {
  const [preset, setPreset] = useState<Preset>()
  const [saved, setSaved] = useState<SignInProvider>()
  if (saved) return <NextSteps provider={saved} onClose={onClose} />
  if (!preset) return <PresetChoice onChosen={setPreset} />
  const { values, example } = preset
  const steps = { example, onSaved: setSaved, onCancel: () => setPreset(undefined), cancelLabel: t('Back') }
  if (values.kind === 'oidc') return <OidcForm initial={values} {...steps} />
  return <LdapForm initial={values} {...steps} />
}

function PresetChoice({ onChosen }: { onChosen: (preset: Preset) => void }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t('What do people have accounts with? The choice fills in what is usual there; everything can be changed.')}
      </Text>
      <ul className={classes.presets}>
        {presets.map((preset, index) => (
          <li key={preset.example}>
            <UnstyledButton
              className={classes.preset}
              onClick={() => onChosen(preset)}
              data-autofocus={index === 0 || undefined}
            >
              <Text span inherit fw={560}>
                {preset.label}
              </Text>
              <Text component="span" size="sm" c="dimmed">
                {preset.description}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is left to do in the other system, and a test. */
function NextSteps({ provider, onClose }: { provider: SignInProvider; onClose: () => void }) {
  const name = (
    <strong>
      <Isolated>{provider.name}</Isolated>
    </strong>
  )
  return (
    <Stack>
      <Text role="status">
        {provider.kind === 'oidc'
          ? rich('{name} is saved. Two addresses are left to enter there:', { name })
          : rich('{name} is saved.', { name })}
      </Text>
      {provider.kind === 'oidc' && <CallbackAddresses callbackUrl={provider.callback_url} />}
      <TestPanel provider={provider} />
      <div className={classes.actions}>
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </Stack>
  )
}

/** Returns the initial values of a form: the contract's defaults, with required fields empty. */
function oidc(values: Partial<OidcInput> = {}): OidcInput {
  const defaults = OidcProviderInput.parse({ kind: 'oidc', name: 'x', issuer: 'https://x.example', client_id: 'x' })
  return { ...defaults, name: '', issuer: '', client_id: '', ...values }
}

function ldap(values: Partial<LdapInput> = {}): LdapInput {
  const defaults = LdapProviderInput.parse({ kind: 'ldap', name: 'x', url: 'ldaps://x', base_dn: 'x' })
  return { ...defaults, name: '', url: '', base_dn: '', ...values }
}

/** Common systems, with their usual values. */
const presets: Preset[] = [
  {
    label: 'Keycloak',
    description: t('A realm of Keycloak, by OpenID Connect.'),
    example: 'https://keycloak.example.org/realms/main',
    values: oidc({ name: 'Keycloak' }),
  },
  {
    label: 'Microsoft Entra ID',
    description: t('A tenant of Microsoft 365, by OpenID Connect.'),
    example: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    // Groups arrive as object ids, and `amr` contains `mfa`.
    values: oidc({ name: 'Microsoft' }),
  },
  {
    label: t('Other OpenID Connect'),
    description: t('Authentik, Okta, Google, GitLab and others.'),
    example: 'https://login.example.org',
    values: oidc(),
  },
  {
    label: 'Active Directory',
    description: t('Windows accounts, by LDAP.'),
    example: 'ldaps://dc.example.org',
    values: ldap({
      name: 'Windows account',
      user_filter:
        '(&(objectCategory=person)(objectClass=user)(|(sAMAccountName={username})(userPrincipalName={username})))',
      // Renaming a person changes their name in the directory, but never this id.
      id_attribute: 'objectGUID',
      // Includes members of nested groups (LDAP_MATCHING_RULE_IN_CHAIN).
      group_filter: '(member:1.2.840.113556.1.4.1941:={dn})',
    }),
  },
  {
    label: 'OpenLDAP',
    description: t('A directory of inetOrgPerson entries.'),
    example: 'ldaps://ldap.example.org',
    values: ldap({
      name: 'Directory account',
      user_filter: '(&(objectClass=inetOrgPerson)(|(uid={username})(mail={username})))',
    }),
  },
  {
    label: t('Other directory'),
    description: t('FreeIPA, 389 Directory Server and others.'),
    example: 'ldaps://directory.example.org',
    values: ldap(),
  },
]
