import { ConsolePage } from '../admin/console-page.tsx'

/** Invitations. */
export function InvitationsPage() {
  return <ConsolePage title="Invitations">{null}</ConsolePage>
}
