import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { t } from '#contract/texts/t.ts'
import { AddPasskeyDialog } from './passkeys-add-dialog.tsx'
import { canUsePasskeys } from './passkeys-support.ts'

/** Offers a passkey in place of an authenticator app, where the browser can make one. */
export function PasskeyInstead() {
  const [isAdding, adding] = useDisclosure(false)
  if (!canUsePasskeys()) return null
  return (
    <>
      <Button variant="default" onClick={adding.open}>
        {t('Use a passkey instead')}
      </Button>
      <AddPasskeyDialog isOpen={isAdding} onClose={adding.close} />
    </>
  )
}
