import { Box, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import common from '../ui/common.module.css'

/** Lists what can serve as a second factor, including in rooms without phones. Passkeys only if the page can use them: https only. */
export function SecondFactorOptions({ hasPasskeys }: { hasPasskeys: boolean }) {
  return (
    <div>
      <Text id="second-factor-ways">{t('One of these is enough:')}</Text>
      <Box component="ul" mt={6} className={common.bullets} aria-labelledby="second-factor-ways">
        <li>{t('an authenticator app on a phone')}</li>
        <li>{t('an authenticator on this computer, such as KeePassXC')}</li>
        <li>{t('a hardware token that shows codes, using its seed')}</li>
        <li>{t('a printed list of 20 codes, each of which works once')}</li>
        {hasPasskeys && <li>{t('a passkey: this device, a phone or a security key')}</li>}
      </Box>
    </div>
  )
}
