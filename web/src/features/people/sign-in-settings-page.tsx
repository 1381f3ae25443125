import { ConsolePage } from '../admin/console-page.tsx'

/** Who may register, how long sessions last, and providers of single sign-on. */
export function SignInSettingsPage() {
  return (
    <ConsolePage title="Sign-in" access="super_admin">
      {null}
    </ConsolePage>
  )
}
