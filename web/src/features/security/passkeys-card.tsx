import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { AddPasskeyDialog } from './passkeys-add-dialog.tsx'
import { usePasskeys } from './passkeys-query.ts'
import { PasskeyRow } from './passkeys-row.tsx'
import { passkeyObstacle } from './passkeys-obstacle.ts'

/** The passkeys of the user. Where the browser can use none, those of other browsers can still be removed. */
export function PasskeysCard() {
  const { data, isPending, isError, refetch } = usePasskeys()
  const [isAdding, adding] = useDisclosure(false)
  const obstacle = passkeyObstacle()
  return (
    <Panel
      title={t('Passkeys')}
      icon={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        !obstacle && (
          <Button variant="default" size="xs" onClick={adding.open} disabled={!data}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <Text py="md" px={20} c="dimmed" size="sm">
        {t(
          'A passkey is a key on your device or in your password manager: it signs you in with your finger, face or PIN, and no other site can ask for it.',
        )}
      </Text>
      {obstacle && <Text p="0 1.25rem 1.25rem">{obstacle}</Text>}
      {isPending && <LoadingNotice label={t('Loading your passkeys')} />}
      {isError && <ErrorNotice message={t('Your passkeys could not be loaded.')} onRetry={() => void refetch()} />}
      {data?.length === 0 && !obstacle && <Text p="0 1.25rem 1.25rem">{t('You have no passkeys.')}</Text>}
      {data && data.length > 0 && (
        <ul>
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddPasskeyDialog isOpen={isAdding} onClose={adding.close} />
    </Panel>
  )
}
