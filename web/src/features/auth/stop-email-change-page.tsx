import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { AuthLayout } from './auth-layout.tsx'

/** Where the link of the mail about a new address leads. A button, because programs open the links of mails to check them. */
export function StopEmailChangePage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const token = search.get('token') ?? ''
  const stop = useMutation({ mutationFn: () => call(auth.stopEmailChange, { body: { token } }) })
  if (stop.isSuccess) {
    return (
      <AuthLayout
        title="Your address stays as it is"
        subtitle="The change was stopped. Mails come to the address as before."
      >
        <Button onClick={() => void navigate('/dashboard')}>Go to Dashboard</Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Keep your address"
      subtitle="An administrator gave your account another e-mail address. If you do not know of it, keep yours."
    >
      {stop.isError && (
        <Alert color="red" role="alert">
          {messageOf(stop.error, 'Network error. Please try again.')}
        </Alert>
      )}
      <Button loading={stop.isPending} disabled={token === ''} onClick={() => stop.mutate()}>
        Keep my address
      </Button>
      <Button variant="default" onClick={() => void navigate('/dashboard')}>
        Go to Dashboard
      </Button>
    </AuthLayout>
  )
}
