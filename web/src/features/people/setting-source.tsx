import { Badge } from '@mantine/core'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'

/** The part of the settings form that its fields need. */
export interface SettingsSource {
  values: SignInSettings
  getInputProps: (name: keyof SignInSettings) => object
}

/** Marks a setting that the page cannot change. */
export function SetByEnvironment() {
  return (
    <Badge color="gray" leftSection={<IconLock size={12} stroke={2} aria-hidden />} miw="max-content">
      {t('Set by the environment')}
    </Badge>
  )
}
