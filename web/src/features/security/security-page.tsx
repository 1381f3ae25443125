import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import classes from './security.module.css'
import { SessionList } from './session-list.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** Second factor, password and signed-in sessions (accounts specification, section 2). */
export function SecurityPage() {
  return (
    <Page title="Security & 2FA" width="narrow">
      <div className={classes.stack}>
        <TwoFactorCard />
        <Panel title="Change Password">
          <ChangePasswordForm />
        </Panel>
        <SessionList />
      </div>
    </Page>
  )
}
