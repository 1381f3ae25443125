import { Button, Modal, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { integrations } from '#contract/endpoints/integrations.ts'
import { maxApiKeyDays, type ApiKeyScope } from '#contract/entities/api-key.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { blankCodeMessage, isOwnCode, SecondFactorCodeField } from '../../shared/two-factor/code-field.tsx'
import { twoFactorCodeHeader } from '../../shared/two-factor/two-factor-code-header.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { PasswordGate } from '../security/confirm-password.tsx'
import { focusElement } from './focus-element.ts'
import { SecretField } from './secret-field.tsx'
import { useRefreshIntegrations } from './use-integrations.ts'

const dayMs = 24 * 3_600_000
const lifetimes = [
  { value: '30', label: t('{days, plural, one {# day} other {# days}}', { days: 30 }) },
  { value: '90', label: t('{days, plural, one {# day} other {# days}}', { days: 90 }) },
  { value: '365', label: t('One year') },
  { value: 'date', label: t('Until a date') },
]

interface CreateKeyDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Asks for the password, then for what the key may do and for how long, and shows the key. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Create API key')} closeOnClickOutside={false}>
      <PasswordGate onCancel={onClose}>
        <KeyForm onClose={onClose} />
      </PasswordGate>
    </Modal>
  )
}

interface KeyValues {
  name: string
  scope: ApiKeyScope
  lifetime: string
  /** A day in the browser's time zone: 2027-01-31. */
  date: string
  code: string
}

function KeyForm({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const [openedAt] = useState(() => Date.now())
  const { refreshKeys } = useRefreshIntegrations()
  const hasTwoFactor = user.two_factor_enabled
  const { form, submit, isBusy, result } = useMutationForm({
    initialValues: { name: '', scope: 'read', lifetime: '90', date: '', code: '' } as KeyValues,
    validate: (values) => validate(values, user),
    send: ({ name, scope, code, ...values }) =>
      call(integrations.createKey, {
        body: { name: name.trim(), scope, expires_at: expiryOf(values).toISOString() },
        headers: hasTwoFactor ? twoFactorCodeHeader(code) : {},
      }),
    onSuccess: refreshKeys,
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  if (result)
    return <SecretField label={t('API key')} copyLabel={t('Copy API key')} secret={result.token} onDone={onClose} />
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={t('Name')}
        description={t('What uses it: a script, a system')}
        maxLength={80}
        ref={focusElement}
        {...form.getInputProps('name')}
      />
      <Radio.Group label={t('It may')} {...form.getInputProps('scope')}>
        <Stack gap="sm" mt="xs">
          <Radio value="read" label={t('Read|access')} description={t('Recordings, texts, search, alerts')} />
          <Radio
            value="write"
            label={t('Read and write')}
            description={t('Upload, transcribe, correct and delete too')}
          />
        </Stack>
      </Radio.Group>
      <SimpleGrid minColWidth={144} autoFlow="auto-fit">
        <Select label={t('Valid for')} data={lifetimes} allowDeselect={false} {...form.getInputProps('lifetime')} />
        {form.values.lifetime === 'date' && (
          <TextInput
            type="date"
            label={t('Last day')}
            min={toDay(openedAt + dayMs)}
            max={toDay(openedAt + (maxApiKeyDays - 1) * dayMs)}
            {...form.getInputProps('date')}
          />
        )}
      </SimpleGrid>
      {hasTwoFactor && <SecondFactorCodeField {...form.getInputProps('code')} />}
      <DialogActions onCancel={onClose}>
        <Button type="submit" loading={isBusy}>
          {t('Create')}
        </Button>
      </DialogActions>
    </Form>
  )
}

function validate(values: KeyValues, user: Pick<User, 'two_factor_enabled' | 'printed_codes_left'>) {
  const leftMs = expiryOf(values).getTime() - Date.now()
  const isDateValid = leftMs > 0 && leftMs <= maxApiKeyDays * dayMs
  return {
    ...(values.name.trim() === '' && { name: t('Please name the key') }),
    ...(!isDateValid && { date: t('Please choose a day within two years') }),
    ...(user.two_factor_enabled && !isOwnCode(user, values.code) && { code: blankCodeMessage(user) }),
  }
}

/** Returns when a key expires; an invalid date if none was chosen. */
function expiryOf({ lifetime, date }: Pick<KeyValues, 'lifetime' | 'date'>): Date {
  return lifetime === 'date' ? new Date(`${date}T23:59:59`) : new Date(Date.now() + Number(lifetime) * dayMs)
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
