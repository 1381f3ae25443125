import { Button, Group, Stack, Text } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { t } from '#contract/texts/t.ts'
import { toastError } from '../../shared/toast.tsx'
import { useCopied } from '../../shared/use-copied.ts'
import { focusElement } from './focus-element.ts'
import classes from './secret-field.module.css'

interface SecretFieldProps {
  /** What the secret is, such as `API key`. */
  label: string
  /** The label of the copy button. */
  copyLabel: string
  secret: string
  onDone: () => void
}

/** Shows a secret to copy; it is never shown again. */
export function SecretField({ label, copyLabel, secret, onDone }: SecretFieldProps) {
  const { isCopied, copy } = useCopied(() => toastError(t('It could not be copied. Please select and copy it.')))
  return (
    <Stack>
      <Text>{t('Copy it now and keep it safe, like a password. It is not shown again.')}</Text>
      <code className={classes.secret} dir="ltr" aria-label={label}>
        {secret}
      </code>
      <Group gap="xs" justify="flex-end">
        <Button
          variant="default"
          ref={focusElement}
          leftSection={isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
          onClick={() => void copy(secret)}
        >
          {isCopied ? t('Copied') : copyLabel}
        </Button>
        <Button onClick={onDone}>{t('Done')}</Button>
      </Group>
    </Stack>
  )
}
