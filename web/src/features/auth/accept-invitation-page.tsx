import { Title } from '@mantine/core'

/** Creates the account of somebody who was invited. */
export function AcceptInvitationPage() {
  return <Title order={1}>Invitation</Title>
}
