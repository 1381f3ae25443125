import { Stack, TextInput } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { t } from '#contract/texts/t.ts'
import { toastError } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useCopied } from '../../../shared/use-copied.ts'

interface CopyFieldProps {
  label: string
  /** Accessible name of the button. */
  copyLabel: string
  description: string
  value: string
}

/** An address to copy. */
function CopyField({ label, copyLabel, description, value }: CopyFieldProps) {
  const { isCopied, copy } = useCopied(() => toastError(t('It could not be copied. Please select and copy it.')))
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      variant="filled"
      dir="ltr"
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <IconButton label={isCopied ? t('Copied') : copyLabel} onClick={() => void copy(value)}>
          {isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
        </IconButton>
      }
    />
  )
}

/** The addresses of this server that an OpenID provider must know. */
export function CallbackAddresses({ callbackUrl }: { callbackUrl: string }) {
  return (
    <Stack>
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
    </Stack>
  )
}
