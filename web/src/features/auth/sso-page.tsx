import { Title } from '@mantine/core'

/** Goes on with a sign-in that a provider proved. */
export function SsoPage() {
  return <Title order={1}>Sign-in</Title>
}
