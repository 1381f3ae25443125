import { Button, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { CallbackAddresses } from './callback-addresses.tsx'
import { LdapForm } from './ldap-form.tsx'
import { OidcForm } from './oidc-form.tsx'
import { presets, type Preset } from './presets.ts'
import classes from './providers.module.css'
import { TestPanel } from './test-panel.tsx'

interface ProviderDialogProps {
  isOpen: boolean
  /** The one to change; a new one where it is missing. */
  provider?: SignInProvider
  onClose: () => void
}

/** Adds a provider, by what it is, or changes one. */
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

/** What is left to do at the other system, and a trial. */
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
