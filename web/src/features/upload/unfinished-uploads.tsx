import { Isolated } from '../../shared/ui/isolated.tsx'
import { isolateName } from '#contract/isolated-name.ts'
import { Button, FileButton, Group, Progress, Stack, Text, Title } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { formatDeadline, formatPercent, formatSize } from '../../shared/format.ts'
import { toastError } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { describeUnfinished } from '../../shared/uploads/describe-unfinished.ts'
import { useUploads } from '../../shared/uploads/uploads.ts'
import { isSameFile, useUnfinishedUploads, type UnfinishedFile } from '../../shared/uploads/use-unfinished-uploads.ts'
import classes from './upload.module.css'
import common from '../../shared/ui/common.module.css'

/** Names the files of earlier visits that were not sent, or not completely, and asks for them. */
export function UnfinishedUploads() {
  const { files, discard } = useUnfinishedUploads()
  if (files.length === 0) return null
  return (
    <section className={classes.unfinished} aria-labelledby="unfinished-uploads">
      <Title order={2} size="h4" id="unfinished-uploads">
        {describeUnfinished(files.length)}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Choose the same files again. What the server has is not sent a second time.')}
      </Text>
      <ul className={classes.list}>
        {files.map((file) => (
          <UnfinishedRow
            key={file.upload?.id ?? `${file.name}/${file.size}`}
            file={file}
            onDiscard={() => void discard(file)}
          />
        ))}
      </ul>
    </section>
  )
}

function UnfinishedRow({ file, onDiscard }: { file: UnfinishedFile; onDiscard: () => void }) {
  const { add } = useUploads()
  const { name, size, received } = file

  function choose(chosen: File | null) {
    if (!chosen) return
    if (isSameFile(chosen, file)) add([chosen])
    else
      toastError(
        t('This is another file. Choose {name} ({size}), unchanged since you first chose it.', {
          name: isolateName(name),
          size: formatSize(size),
        }),
      )
  }

  return (
    <Group component="li" gap={14} wrap="nowrap" py={14} px="md" className={common.surface}>
      <Stack gap={6} flex={1} miw={0}>
        <Group gap="0 0.75rem" align="baseline" justify="space-between">
          <Isolated className={classes.name}>{name}</Isolated>
          <Text size="sm" c="dimmed" className={classes.numbers}>
            {formatSize(size)}
          </Text>
        </Group>
        <Progress
          value={size > 0 ? (received / size) * 100 : 0}
          size={4}
          color="accent"
          aria-label={t('Upload of {name}', { name: isolateName(name) })}
        />
        <Text size="sm" c="dimmed">
          {describe(file)}
        </Text>
      </Stack>
      <FileButton onChange={choose}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            aria-label={t('Choose {name}', { name: isolateName(name) })}
          >
            {t('Choose')}
          </Button>
        )}
      </FileButton>
      <IconButton label={t('Discard {name}', { name: isolateName(name) })} onClick={onDiscard}>
        <IconX size={18} stroke={1.5} />
      </IconButton>
    </Group>
  )
}

function describe({ size, received, upload }: UnfinishedFile): string {
  if (!upload) return t('Nothing was sent yet.')
  const share = size > 0 ? formatPercent(received / size) : formatPercent(0)
  return t('{share} arrived. Kept until {expiresAt}.', { share, expiresAt: formatDeadline(upload.expiresAt) })
}
