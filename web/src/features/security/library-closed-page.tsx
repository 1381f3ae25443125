import { Button, List, PasswordInput, SegmentedControl, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import type { FormerFactor, LibraryClosure } from '#contract/entities/user.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { formatMoment } from '../../shared/format.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import classes from './security.module.css'

const acts: Record<LibraryClosure['reason'], string> = {
  password: 'An administrator set a new password for your account',
  address: 'An administrator changed the e-mail address of your account',
  two_factor: 'An administrator reset the two-factor authentication of your account',
}

/** The gate after an administrative reset: says what happened, and asks for what the owner had before. */
export function LibraryClosedPage({ closure }: { closure: LibraryClosure }) {
  const session = useSessionActions()
  useTitle('Your library is closed')
  return (
    <main className={classes.single}>
      <div className={classes.singleInner}>
        <Logo />
        <div>
          <Title order={1}>Your library is closed</Title>
          <Text c="dimmed" mt={4}>
            {acts[closure.reason]} on {formatMoment(closure.closed_at)}. Your recordings and transcripts stay closed
            until it is certain that the account is still yours. Nothing is lost.
          </Text>
        </div>
        <Proofs closure={closure} />
        <div>
          <Text fw={560}>If you no longer have any of these</Text>
          <List size="sm" c="dimmed" mt={4}>
            <List.Item>Ask a super administrator, who can verify that it is you and open your library.</List.Item>
            <List.Item>Then sign in again.</List.Item>
          </List>
        </div>
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}

const proofLabels: Record<FormerFactor, string> = {
  password: 'Password',
  code: 'Code',
  passkey: 'Passkey',
}

function Proofs({ closure: { proofs } }: { closure: LibraryClosure }) {
  const [chosen, setChosen] = useState(proofs[0])
  if (!chosen) return null
  return (
    <>
      {proofs.length > 1 && (
        <SegmentedControl
          aria-label="What you had before the reset"
          data={proofs.map((value) => ({ value, label: proofLabels[value] }))}
          value={chosen}
          onChange={(value) => setChosen(proofs.find((proof) => proof === value))}
        />
      )}
      {chosen === 'passkey' ? <PasskeyProof /> : <ProofForm key={chosen} kind={chosen} />}
    </>
  )
}

function PasskeyProof() {
  const { setUser } = useSessionActions()
  const proof = useMutation({
    mutationFn: async () => (await import('./passkeys-ceremony.ts')).openLibraryWithPasskey(),
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
      Use my former passkey
    </Button>
  )
}

function ProofForm({ kind }: { kind: 'password' | 'code' }) {
  const { setUser } = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { proof: '' },
    send: ({ proof }) => call(profile.openLibrary, { body: { [kind]: kind === 'code' ? proof.trim() : proof } }),
    onSuccess: ({ message, user }) => {
      toastSuccess(message)
      setUser(user)
    },
    sortErrors: (error) => ({ fields: { proof: messageOf(error, 'Network error. Please try again.') } }),
  })
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      {kind === 'password' ? (
        <PasswordInput
          label="Your former password"
          description="The one you had before the reset"
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide: Your former password', tabIndex: 0 }}
          {...form.getInputProps('proof')}
        />
      ) : (
        <TextInput
          label="Your former code"
          description="From your authenticator app, printed list or backup codes, as set up before the reset"
          autoComplete="off"
          maxLength={8}
          {...form.getInputProps('proof')}
        />
      )}
      <Button type="submit" loading={isBusy} disabled={form.values.proof.trim() === ''}>
        Open my library
      </Button>
    </form>
  )
}
