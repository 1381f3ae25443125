import { Button, List, PasswordInput, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import type { FormerFactor, KeptAddress, LibraryClosure } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { AddressChoiceField } from '../../shared/form/address-choice-field.tsx'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { formatMoment } from '../../shared/format.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { Form } from '../../shared/ui/form.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import classes from './security.module.css'

const acts: Record<LibraryClosure['reason'], (moment: string) => string> = {
  password: (moment) => t('An administrator set a new password for your account on {moment}.', { moment }),
  address: (moment) => t('An administrator changed the e-mail address of your account on {moment}.', { moment }),
  two_factor: (moment) =>
    t('An administrator reset the two-factor authentication of your account on {moment}.', { moment }),
}

/** The gate after an administrative reset: says what happened, and asks for a proof that the owner had before. */
export function LibraryClosedPage({ closure }: { closure: LibraryClosure }) {
  const session = useSessionActions()
  const { has_password: hasPassword } = useUser()
  // A user without a password here can be verified only by the provider, at sign-in, if at all.
  const canProve = closure.proofs.length > 0 && (hasPassword || !closure.needs_password)
  useTitle(t('Your library is closed'))
  return (
    <main className={classes.single}>
      <Stack gap="lg" w="100%" maw={448}>
        <Logo />
        <div>
          <Title order={1}>{t('Your library is closed')}</Title>
          <Text c="dimmed" mt={4}>
            {acts[closure.reason](formatMoment(closure.closed_at))}{' '}
            {t(
              'Your recordings and transcripts stay closed until it is certain that the account is still yours. Nothing is lost.',
            )}
          </Text>
        </div>
        {canProve && (closure.needs_password ? <PresentPassword /> : <Proofs closure={closure} />)}
        <div>
          <Text fw={560}>{canProve ? t('If you have nothing from before the reset') : t('How to open it')}</Text>
          <List size="sm" c="dimmed" mt={4}>
            <List.Item>
              {t('Ask a super administrator, who can verify that it is you and open your library.')}
            </List.Item>
            <List.Item>{t('Then sign in again.')}</List.Item>
          </List>
        </div>
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          {t('Sign Out')}
        </Button>
      </Stack>
    </main>
  )
}

/** Asks for the password in a session that began without it: someone else may have set it without the owner knowing. */
function PresentPassword() {
  const session = useSessionActions()
  return (
    <ConfirmPassword confirmLabel={t('Continue')} onConfirmed={() => session.reload()}>
      {t('Please enter your present password first. Then show something that you had before the reset.')}
    </ConfirmPassword>
  )
}

const proofLabels: Record<FormerFactor, string> = {
  password: t('Password'),
  code: t('Code'),
  passkey: t('Passkey'),
}

function Proofs({ closure: { proofs, former_email: formerEmail } }: { closure: LibraryClosure }) {
  const [chosen, setChosen] = useState(proofs[0])
  const [address, setAddress] = useState<KeptAddress>('former')
  const { email } = useUser()
  if (!chosen) return null
  return (
    <>
      {formerEmail !== null && (
        <AddressChoiceField
          label={t('Which e-mail address is yours?')}
          description={t('Your account keeps this one. The other one can no longer be used to get in.')}
          former={formerEmail}
          present={email}
          says={{
            former: t('Your address before the change'),
            present: t('The address that an administrator gave you'),
          }}
          value={address}
          onChange={setAddress}
        />
      )}
      {proofs.length > 1 && (
        <SegmentedControl
          aria-label={t('What you had before the reset')}
          data={proofs.map((value) => ({ value, label: proofLabels[value] }))}
          value={chosen}
          onChange={(value) => setChosen(proofs.find((proof) => proof === value))}
        />
      )}
      {chosen === 'passkey' ? (
        <PasskeyProof address={address} />
      ) : (
        <ProofForm key={chosen} kind={chosen} address={address} />
      )}
    </>
  )
}

function PasskeyProof({ address }: { address: KeptAddress }) {
  const { setUser } = useSessionActions()
  const proof = useMutation({
    mutationFn: async () => (await import('./passkeys-ceremony.ts')).openLibraryWithPasskey(address),
    onSuccess: ({ message, user }) => {
      toastSuccess(message)
      setUser(user)
    },
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(error.message)
    },
  })
  return (
    <Button loading={proof.isPending} onClick={() => proof.mutate()}>
      {t('Use my former passkey')}
    </Button>
  )
}

function ProofForm({ kind, address }: { kind: 'password' | 'code'; address: KeptAddress }) {
  const { setUser } = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { proof: '' },
    send: ({ proof }) =>
      call(profile.openLibrary, { body: { [kind]: kind === 'code' ? proof.trim() : proof, address } }),
    onSuccess: ({ message, user }) => {
      toastSuccess(message)
      setUser(user)
    },
    sortErrors: (error) => ({ fields: { proof: messageOf(error, t('Network error. Please try again.')) } }),
  })
  return (
    <Form onSubmit={submit}>
      {kind === 'password' ? (
        <PasswordInput
          label={t('Your former password')}
          description={t('The one you had before the reset')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide: Your former password'), tabIndex: 0 }}
          {...form.getInputProps('proof')}
        />
      ) : (
        <TextInput
          label={t('Your former code')}
          description={t('From your authenticator app, printed list or backup codes, as set up before the reset')}
          autoComplete="off"
          maxLength={8}
          {...form.getInputProps('proof')}
        />
      )}
      <Button type="submit" loading={isBusy} disabled={form.values.proof.trim() === ''}>
        {t('Open my library')}
      </Button>
    </Form>
  )
}
