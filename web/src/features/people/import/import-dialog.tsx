import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { Notice } from '../../../shared/ui/notice.tsx'
import { useServerConfig } from '../../../shared/config.ts'
import { LinkPlace } from '../link-place.tsx'
import { ListChoice } from './list-choice.tsx'
import { Preview } from './preview.tsx'
import { describeFailure, useImport } from './use-import.ts'

interface ImportDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Invites everyone in a CSV file, or no one: choose a list, see what is wrong with it, import it. */
export function ImportDialog({ isOpen, onClose }: ImportDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Import people')} size="xl" closeOnClickOutside={false}>
      <Import onClose={onClose} />
    </Modal>
  )
}

function Import({ onClose }: { onClose: () => void }) {
  const { source, preview, importing, reset } = useImport()
  const failure = describeFailure(preview.error ?? importing.error)
  if (importing.data) return <Imported count={importing.data.invited} onClose={onClose} />
  return (
    <Stack>
      {failure && (
        <Alert color="red" role="alert" title={importing.isError ? t('Nobody was invited') : undefined}>
          {failure}
        </Alert>
      )}
      {preview.isPending && (
        <Group gap="sm" justify="center" wrap="nowrap" mih={160} role="status">
          <Loader type="bars" size="sm" aria-hidden />
          <Text c="dimmed">{rich('Checking {name}…', { name: <Isolated>{source?.name ?? ''}</Isolated> })}</Text>
        </Group>
      )}
      {source && preview.data && (
        <Preview
          name={source.name}
          preview={preview.data}
          isBusy={importing.isPending}
          onImport={(days) => importing.mutate({ csv: source.csv, days })}
          onBack={reset}
          onClose={onClose}
        />
      )}
      {!preview.isPending && !preview.data && (
        <ListChoice onChosen={(chosen) => preview.mutate(chosen)} onClose={onClose} />
      )}
    </Stack>
  )
}

function Imported({ count, onClose }: { count: number; onClose: () => void }) {
  const sendsMail = useServerConfig()?.is_smtp_configured ?? true
  return (
    <Stack>
      <div role="status">
        <Notice
          title={t('{count, plural, one {# person invited} other {# people invited}}', { count })}
          icon={<IconCircleCheck size={22} stroke={1.5} />}
          action={
            <Button onClick={onClose} data-autofocus ref={(button) => button?.focus()}>
              {t('Done')}
            </Button>
          }
        >
          {sendsMail && t('Each gets a mail with a link of their own. The list shows who has come.')}
        </Notice>
      </div>
      <LinkPlace />
    </Stack>
  )
}
