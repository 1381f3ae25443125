import { Button, Group, Loader, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SupportArchive as Archive } from '#contract/entities/upkeep.ts'
import { t } from '#contract/texts/t.ts'
import { decodeBase64 } from '../../../shared/base64.ts'
import { messageWithHelp } from '../../../shared/api/api-error.ts'
import { downloadFile } from '../../../shared/download.ts'
import { formatSize } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './upkeep.module.css'
import { useSupportArchive } from './use-upkeep.ts'
import common from '../../../shared/ui/common.module.css'

/** A button that creates a support archive, and a dialog that lists its files before it is downloaded. */
export function SupportArchive() {
  const [isOpen, dialog] = useDisclosure(false)
  const { mutate, reset, data, error, isPending } = useSupportArchive()

  function open() {
    dialog.open()
    mutate()
  }

  function close() {
    dialog.close()
    reset()
  }

  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Support archive')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('Support archive')}>
        <Text size="sm">
          {t(
            'For the person who helps you: versions, settings, what the checks find, metrics and error codes. It has no recording, word, name, address or secret. Read it before you send it: it is plain text.',
          )}
        </Text>
        {isPending && (
          <Group gap="sm" wrap="nowrap" mt="md" role="status">
            <Loader size="sm" type="bars" aria-hidden />
            <Text size="sm">{t('The instance is checked, and the archive made.')}</Text>
          </Group>
        )}
        {error && (
          <Text mt="md" role="alert" c="var(--awaz-threats)">
            {messageWithHelp(error, t('The archive could not be made.'))}
          </Text>
        )}
        {data && <Files archive={data} />}
        <Group gap="xs" justify="flex-end" mt={20}>
          <Button variant="default" onClick={close}>
            {data ? t('Close') : t('Cancel')}
          </Button>
          {error && <Button onClick={() => mutate()}>{t('Try again')}</Button>}
          {data && <Button onClick={() => save(data)}>{t('Download')}</Button>}
        </Group>
      </Modal>
    </>
  )
}

function Files({ archive: { files, size_bytes, sha256 } }: { archive: Archive }) {
  return (
    <>
      <table className={classes.files}>
        <caption>{t('It holds {size}, compressed:', { size: formatSize(size_bytes) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('File')}</th>
            <th scope="col">{t('Size')}</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ name, size_bytes: sizeBytes }) => (
            <tr key={name}>
              <th scope="row">
                <Isolated>{name}</Isolated>
              </th>
              <td>{formatSize(sizeBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" className={common.wrap}>
        {t('SHA-256: {hash}', { hash: sha256 })}
      </Text>
    </>
  )
}

function save({ file_name, base64 }: Archive): void {
  const bytes = decodeBase64(base64)
  downloadFile(file_name, new Blob([bytes], { type: 'application/zip' }))
}
