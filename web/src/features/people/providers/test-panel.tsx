import { Alert, Button, List, TextInput } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { signInAdmin } from '#contract/endpoints/sso.ts'
import type { SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { Form } from '../../../shared/ui/form.tsx'
import classes from './providers.module.css'

/** Tests a stored provider and shows the results step by step; for a directory, also what it knows about one person. */
export function TestPanel({ provider }: { provider: SignInProvider }) {
  const { id, kind } = provider
  const [username, setUsername] = useState('')
  const test = useMutation({
    mutationFn: () => call(signInAdmin.testProvider, { params: { id }, body: { username: username.trim() } }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    test.mutate()
  }

  return (
    <Form onSubmit={submit}>
      <div className={classes.testRow}>
        {kind === 'ldap' && (
          <TextInput
            label={t('User name')}
            description={t('Optional: what the directory says of this person. No password is needed.')}
            autoComplete="off"
            data-autofocus
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
        )}
        <Button type="submit" variant="default" loading={test.isPending}>
          {t('Test the connection')}
        </Button>
      </div>
      {test.error && !isSessionExpired(test.error) && (
        <Alert color="red" role="alert">
          {messageOf(test.error, t('Network error. Please try again.'))}
        </Alert>
      )}
      {test.data && (
        <Alert
          role="status"
          color={test.data.is_working ? 'green' : 'red'}
          icon={
            test.data.is_working ? (
              <IconCircleCheck size={18} stroke={1.5} />
            ) : (
              <IconAlertTriangle size={18} stroke={1.5} />
            )
          }
          title={test.data.is_working ? t('It works') : t('It does not work')}
        >
          <List size="sm" spacing={4} className={classes.details}>
            {test.data.details.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Form>
  )
}
