import { Anchor, Button, Text } from '@mantine/core'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { passkeyObstacle } from '../security/passkeys-obstacle.ts'
import classes from './auth.module.css'
import { CodeForm } from './code-form.tsx'

interface SecondFactorStepProps extends Omit<ComponentProps<typeof CodeForm>, 'alternative' | 'backLabel'> {
  /** The second factors of the account. */
  methods: readonly string[]
  isPasskeyBusy: boolean
  onPasskey: () => void
}

/** The step after the correct password: a code, a passkey, or a choice of the two. */
export function SecondFactorStep({ methods, isPasskeyBusy, onPasskey, ...codeProps }: SecondFactorStepProps) {
  const { error, onBack } = codeProps
  const obstacle = passkeyObstacle()
  const hasCode = methods.includes('code')
  const button = (
    <Button
      variant={hasCode ? 'default' : 'filled'}
      size="md"
      fullWidth
      autoFocus={!hasCode}
      leftSection={<IconFingerprint size={18} stroke={1.5} aria-hidden />}
      loading={isPasskeyBusy}
      onClick={onPasskey}
    >
      {t('Use your passkey')}
    </Button>
  )
  if (hasCode) return <CodeForm {...codeProps} alternative={methods.includes('passkey') && !obstacle && button} />
  return <PasskeyStep error={error} button={obstacle ? <Text>{obstacle}</Text> : button} onBack={onBack} />
}

function PasskeyStep({ error, button, onBack }: { error: ReactNode; button: ReactNode; onBack: () => void }) {
  return (
    <div className={classes.fields}>
      {error}
      {button}
      <Text size="sm" c="dimmed">
        {t('You no longer have it? An administrator can reset your two-factor.')}
      </Text>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t('Back to password')}
      </Anchor>
    </div>
  )
}
