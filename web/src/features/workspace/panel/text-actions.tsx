import { Button, Tooltip } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { toastError } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useCopied } from '../../../shared/use-copied.ts'
import classes from './text-actions.module.css'

/** Height of the buttons. */
const buttonPx = 30

const actionTexts = {
  transcription: { copy: t('Copy transcription'), download: t('Download transcription as .txt') },
  translation: { copy: t('Copy translation'), download: t('Download translation as .txt') },
}

interface TextActionsProps {
  kind: 'transcription' | 'translation'
  /** Called on demand, since a long text takes a while. */
  getText: () => string
  recording: Pick<RecordingDetails, 'name'>
  /** Set for a translation. */
  targetLanguage?: string
  repeatLabel: string
  isBusy: boolean
  /** Undefined if the user may not repeat the job. */
  onRepeat: (() => void) | undefined
}

/** Buttons to copy a transcript or translation, download it as .txt, and repeat it (audio-workflow specification, section 2). */
export function TextActions(props: TextActionsProps) {
  const { kind, getText, recording, targetLanguage, repeatLabel, isBusy, onRepeat } = props
  const { isCopied, copy } = useCopied(() => toastError(t('The text could not be copied')))
  const texts = actionTexts[kind]
  const name = `${baseName(recording.name)}-${targetLanguage ?? kind}.txt`

  return (
    <Button.Group>
      <IconButton
        label={isCopied ? t('Copied') : texts.copy}
        variant="default"
        size={buttonPx}
        onClick={() => void copy(getText())}
      >
        {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={17} stroke={1.5} />}
      </IconButton>
      <IconButton
        label={texts.download}
        variant="default"
        size={buttonPx}
        className={classes.wide}
        onClick={() => downloadFile(name, getText())}
      >
        <IconDownload size={17} stroke={1.5} />
      </IconButton>
      {onRepeat && (
        <Tooltip label={repeatLabel}>
          <Button
            variant="default"
            size="xs"
            h={buttonPx}
            px={8}
            aria-label={repeatLabel}
            disabled={isBusy}
            classNames={{ section: classes.section ?? '' }}
            leftSection={<IconRefresh size={16} stroke={1.5} />}
            onClick={onRepeat}
          >
            <span className={classes.repeatLabel}>{repeatLabel}</span>
          </Button>
        </Tooltip>
      )}
    </Button.Group>
  )
}
