import { Alert, Box, Button, Group, Progress, SimpleGrid, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ModelImport } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatSize } from '../../../shared/format.ts'
import { ErrorNotice, LoadingNotice } from '../../../shared/ui/notice.tsx'
import { toastError } from '../../../shared/toast.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { collectModelFiles, type ModelFiles } from './model-files.ts'
import classes from './models.module.css'
import { useModelUpload } from './use-model-upload.ts'
import { useImports, useModelCommands } from './use-models.ts'
import common from '../../../shared/ui/common.module.css'

/** Imports models uploaded by the browser or found in the import folder. */
export function ImportPanel() {
  const { data, isPending, isError, refetch } = useImports()
  const { upload, start: startUpload, dismiss } = useModelUpload()
  const { start } = useModelCommands()
  const [selected, setSelected] = useState<ModelFiles>()
  const [folderEntry, setFolderEntry] = useState<ModelImport>()

  function selectFiles(files: File[]) {
    const collected = collectModelFiles(files)
    if (typeof collected === 'string') toastError(collected, { durationMs: 8_000 })
    else setSelected(collected)
  }

  if (isError && !data)
    return <ErrorNotice message={t('The import folder could not be read.')} onRetry={() => void refetch()} />
  if (isPending) return <LoadingNotice label={t('Loading the import folder')} />
  return (
    <SimpleGrid minColWidth="min(24rem, 100%)" autoFlow="auto-fit">
      <div>
        {upload ? (
          <UploadProgress upload={upload} onDismiss={dismiss} />
        ) : (
          <FileDrop onFiles={selectFiles} problem={data.problem} freeBytes={data.free_bytes} />
        )}
      </div>
      <Box component="section" aria-labelledby="import-folder" miw={0} py={18} px={20} className={common.surface}>
        <Title order={3} size="md" id="import-folder">
          {t('Import folder')}
        </Title>
        <Text size="sm" c="dimmed" className={common.wrap}>
          {data.folder}
        </Text>
        {data.imports.length === 0 ? (
          <Text c="dimmed" mt="sm">
            {t('It is empty. On a machine without internet, put the files of a model here from a USB stick.')}
          </Text>
        ) : (
          <ul>
            {data.imports.map((entry) => (
              <ImportRow key={entry.name} entry={entry} onImport={() => setFolderEntry(entry)} />
            ))}
          </ul>
        )}
      </Box>
      <ImportDialog
        source={selected && { name: selected.name, files: selected.files.length, sizeBytes: selected.sizeBytes }}
        submitLabel={t('Upload and import')}
        onClose={() => setSelected(undefined)}
        onSubmit={(input) => {
          setSelected(undefined)
          if (selected) void startUpload(selected, input)
        }}
      />
      <ImportDialog
        source={folderEntry && { name: folderEntry.name, files: folderEntry.files, sizeBytes: folderEntry.size_bytes }}
        submitLabel={t('Import')}
        onClose={() => setFolderEntry(undefined)}
        onSubmit={(input) => {
          setFolderEntry(undefined)
          void start(input)
        }}
      />
    </SimpleGrid>
  )
}

function ImportRow({ entry, onImport }: { entry: ModelImport; onImport: () => void }) {
  const { removeImport, isBusy } = useModelCommands()
  const { name, files, size_bytes, is_uploaded, changed_at } = entry
  const ago = formatAgo(changed_at)
  return (
    <li className={classes.row}>
      <div>
        <Text fw={560}>{name}</Text>
        <Text size="sm" c="dimmed">
          {t('{files, plural, one {# file} other {# files}}', { files })}, {formatSize(size_bytes)} ·{' '}
          {is_uploaded ? t('uploaded {ago}', { ago }) : t('put here {ago}', { ago })}
        </Text>
      </div>
      <Group gap="xs">
        <Button variant="light" size="xs" aria-label={t('Import {name}', { name })} onClick={onImport}>
          {t('Import')}
        </Button>
        {is_uploaded && (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            loading={isBusy}
            aria-label={t('Delete {name}', { name })}
            onClick={() => void removeImport(name)}
          >
            {t('Delete')}
          </Button>
        )}
      </Group>
    </li>
  )
}

interface UploadProgressProps {
  upload: NonNullable<ReturnType<typeof useModelUpload>['upload']>
  onDismiss: () => void
}

function UploadProgress({ upload: { name, sizeBytes, sentBytes, error }, onDismiss }: UploadProgressProps) {
  const percent = sizeBytes > 0 ? (sentBytes / sizeBytes) * 100 : 0
  return (
    <div className={classes.upload}>
      <Text fw={560}>{error ? t('{name} could not be uploaded', { name }) : t('Uploading {name}', { name })}</Text>
      {error ? (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {t('{sent} of {total}. It goes on while you look at other pages.', {
              sent: formatSize(sentBytes),
              total: formatSize(sizeBytes),
            })}
          </Text>
          <Progress value={percent} aria-label={t('Upload of {name}', { name })} />
        </>
      )}
      <Button variant="default" size="xs" onClick={onDismiss}>
        {error ? t('Close') : t('Cancel the upload')}
      </Button>
    </div>
  )
}
