import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { t } from '#contract/texts/t.ts'
import { downloadFile } from '../download.ts'
import { toastError } from '../toast.tsx'
import { useCopied } from '../use-copied.ts'

export function BackupCodeList({ codes, label }: { codes: string[]; label: string }) {
  return (
    <SimpleGrid
      component="ul"
      minColWidth={112}
      autoFlow="auto-fit"
      spacing="xs"
      p="md"
      bd="1px dashed var(--awaz-line-strong)"
      bdrs="md"
      bg="var(--awaz-sunken)"
      ff="monospace"
      ta="center"
      aria-label={label}
    >
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </SimpleGrid>
  )
}

/** Single-use codes in case the phone is lost; copied and downloaded one per line. */
export function BackupCodes({ codes }: { codes: string[] }) {
  const { isCopied, copy } = useCopied(() => toastError(t('Failed to copy backup codes')))
  return (
    <>
      <Text>
        {t(
          'Keep these codes somewhere safe. Each works once instead of a code from your app, and they are not shown again.',
        )}
      </Text>
      <BackupCodeList codes={codes} label={t('Backup codes')} />
      <Group gap="xs" align="stretch" justify="space-between">
        <Button
          variant="default"
          leftSection={isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
          onClick={() => void copy(codes.join('\n'))}
        >
          {isCopied ? t('Copied') : t('Copy codes')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} />}
          onClick={() => downloadFile('awaz-backup-codes.txt', `${codes.join('\n')}\n`)}
        >
          {t('Download codes')}
        </Button>
      </Group>
    </>
  )
}
