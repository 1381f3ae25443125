import { t } from '#contract/texts/t.ts'
import { CopyField } from './copy-field.tsx'
import classes from './providers.module.css'

/** What an OpenID provider must know of this server. */
export function CallbackAddresses({ callbackUrl }: { callbackUrl: string }) {
  return (
    <div className={classes.form}>
      <CopyField
        label={t('Redirect address')}
        copyLabel={t('Copy redirect address')}
        description={t('Also named callback or redirect URI.')}
        value={callbackUrl}
      />
      <CopyField
        label={t('Back-channel logout address')}
        copyLabel={t('Copy back-channel logout address')}
        description={t('Signing out there, or being locked there, ends the sessions here. Optional.')}
        value={callbackUrl.replace(/\/callback$/, '/logout')}
      />
    </div>
  )
}
